# A small shop: web server, database and application on one node.
node default {
  include shop
  include shop::monitoring
}
