# Calls its block.
Puppet::Functions.create_function(:'demo::blocks') do
  dispatch :pairs do
    param 'Hash', :hash
    block_param 'Callable[2, 2]', :block
  end
  dispatch :each_one do
    param 'Array', :list
    optional_block_param
  end

  def pairs(hash)
    hash.map { |key, value| yield(key, value) }
  end

  def each_one(list, &block)
    return 'no block' unless block

    list.map { |one| block.call(one) } + [block.arity, block.parameters.map(&:to_s)]
  end
end
