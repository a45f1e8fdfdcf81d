#!/usr/bin/env bash
# Runs a command beside a real PuppetDB: server.sh COMMAND...
#
# PuppetDB and PostgreSQL come from Debian's packages, listen on loopback only and keep all their
# data in a folder that is removed at the end. The command gets CATGRAPH_PUPPETDB (without TLS),
# CATGRAPH_PUPPETDB_TLS, and CATGRAPH_PUPPETDB_CERTS: a folder with ca.pem, and NAME.pem and NAME.key
# of `client`, whom PuppetDB admits, `other`, whom it does not, and `foreign`, of another CA.
set -euo pipefail

http=${CATGRAPH_PUPPETDB_PORT:-18080} https=$((${CATGRAPH_PUPPETDB_PORT:-18080} + 1))
sql=$((http + 2))
patience=900
packages=(puppetdb dbconfig-no-thanks postgresql openssl curl)

skip() { echo "skipped: the tests against PuppetDB need $1"; exit 0; }
installed() { dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }
as() { local user=$1; shift; (cd /; exec setpriv --reuid="$user" --regid="$user" --init-groups "$@"); }

[ "$(id -u)" = 0 ] || skip "root, who installs Debian's packages and starts two services"
command -v apt-get >/dev/null || skip "apt-get"
missing=()
for package in "${packages[@]}"; do installed "$package" || missing+=("$package"); done
if [ ${#missing[@]} -gt 0 ]; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq || true
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null 2>&1 ||
    skip "${missing[*]}, which apt does not have"
fi

state=$(mktemp -d /var/lib/catgraph-puppetdb.XXXXXX)
chmod 711 "$state"
pg=$(find /usr/lib/postgresql/*/bin -maxdepth 0 | sort -V | tail -1)
java=
stop() {
  if [ -n "$java" ]; then
    kill "$java" 2>/dev/null && wait "$java" 2>/dev/null || true
  fi
  as postgres "$pg/pg_ctl" -D "$state/sql" -m immediate stop >/dev/null 2>&1 || true
  rm -rf "$state"
}
trap stop EXIT
trap 'exit 130' INT TERM

# ---- certificates
certs=$state/certs
mkdir -m 755 "$certs"
authority() {
  openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=$1" \
    -keyout "$certs/$1.key" -out "$certs/$1.pem" 2>/dev/null
}
certificate() {
  openssl req -newkey rsa:2048 -nodes -subj "/CN=$1" -keyout "$certs/$1.key" 2>/dev/null |
    openssl x509 -req -days 2 -CA "$certs/$2.pem" -CAkey "$certs/$2.key" -CAcreateserial \
      -extfile <(echo "subjectAltName=DNS:localhost") -out "$certs/$1.pem" 2>/dev/null
}
authority ca
authority stranger
certificate server ca
certificate client ca
certificate other ca
certificate foreign stranger
chmod 644 "$certs"/*

# ---- PostgreSQL
install -d -o postgres -m 700 "$state/sql"
as postgres "$pg/initdb" -D "$state/sql" -A trust -U postgres -E UTF8 --locale=C.UTF-8 --no-sync >/dev/null
as postgres "$pg/pg_ctl" -D "$state/sql" -w -l "$state/sql/log" start -o \
  "-c listen_addresses=127.0.0.1 -p $sql -k $state/sql -c fsync=off -c full_page_writes=off" >/dev/null
as postgres "$pg/psql" -h "$state/sql" -p "$sql" -q -v ON_ERROR_STOP=1 <<'SQL'
create role puppetdb login;
create database puppetdb owner puppetdb;
\c puppetdb
create extension pg_trgm;
grant create on schema public to puppetdb;
SQL

# ---- PuppetDB
install -d -o puppetdb -m 750 "$state/var"
mkdir -m 755 "$state/conf"
echo client >"$state/allowed"
cat >"$state/conf/catgraph.ini" <<CONF
[global]
vardir = $state/var
logging-config = $state/logback.xml
[database]
subname = //127.0.0.1:$sql/puppetdb
username = puppetdb
password = none
[puppetdb]
certificate-allowlist = $state/allowed
disable-update-checking = true
[jetty]
host = 127.0.0.1
port = $http
ssl-host = 127.0.0.1
ssl-port = $https
ssl-key = $certs/server.key
ssl-cert = $certs/server.pem
ssl-ca-cert = $certs/ca.pem
client-auth = want
[nrepl]
enabled = false
CONF
cat >"$state/logback.xml" <<'CONF'
<configuration>
  <appender name="out" class="ch.qos.logback.core.ConsoleAppender">
    <encoder><pattern>%d %-5p %m%n</pattern></encoder>
  </appender>
  <root level="warn"><appender-ref ref="out"/></root>
</configuration>
CONF
cp /etc/puppetdb/conf.d/auth.conf "$state/conf/"
cp /etc/puppetdb/bootstrap.cfg "$state/"
chmod 644 "$state/conf"/* "$state/bootstrap.cfg"
echo -n 0 >"$state/var/restart"
chown puppetdb "$state/var/restart"
cd "$state/var"
setpriv --reuid=puppetdb --regid=puppetdb --init-groups java -Xmx512m -XX:+UseSerialGC \
  -Djava.security.egd=/dev/urandom -cp /usr/share/puppetdb/puppetdb.jar \
  clojure.main -m puppetlabs.puppetdb.core services --config "$state/conf" \
  --bootstrap-config "$state/bootstrap.cfg" --restart-file "$state/var/restart" \
  </dev/null >"$state/log" 2>&1 &
java=$!
cd - >/dev/null
until [ "$(curl -s -m 2 "http://127.0.0.1:$http/status/v1/simple" || true)" = running ]; do
  if ! kill -0 "$java" 2>/dev/null || [ $SECONDS -gt $patience ]; then
    tail -20 "$state/log" >&2
    echo "PuppetDB did not start" >&2
    exit 1
  fi
  sleep 1
done
echo "PuppetDB $(dpkg-query -W -f '${Version}' puppetdb) answers after $SECONDS s"

CATGRAPH_PUPPETDB=http://127.0.0.1:$http CATGRAPH_PUPPETDB_TLS=https://localhost:$https \
  CATGRAPH_PUPPETDB_CERTS=$certs "$@"
