-- Drives Neovim's own client of the protocol; each check prints one line, the first that fails ends it.
local root, program = vim.env.CATGRAPH_REPO, vim.env.CATGRAPH
local client

local function say(...) io.stdout:write(table.concat({...}, ' ') .. '\n') end

local function wait(what, found)
  if not vim.wait(60000, found, 20) then error('waited in vain: ' .. what) end
end

local function open(path)
  vim.cmd('edit ' .. root .. '/' .. path)
  client = client or vim.lsp.start_client({name = 'catgraph', cmd = {program, 'lsp'}, root_dir = root})
  vim.lsp.buf_attach_client(0, client)
  wait('the server', function() return vim.lsp.get_client_by_id(client).initialized end)
end

local function ask(method, row, column, more)
  vim.api.nvim_win_set_cursor(0, {row, column})
  local params = vim.tbl_extend('force', vim.lsp.util.make_position_params(), more or {})
  local answers = vim.lsp.buf_request_sync(0, method, params, 20000) or {}
  return (answers[client] or {}).result
end

local function can(method) return vim.lsp.get_client_by_id(client).supports_method(method) end

local function has(code)
  for _, one in ipairs(vim.diagnostic.get(0)) do if one.code == code then return one end end
end

local function lines() return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n') end

local checks = {}

function checks.diagnostics()
  open('modules/app/manifests/init.pp')
  wait('a cycle', function() return has('CG301') end)
  say('diagnostics', has('CG301').code, has('CG301').lnum + 1)
end

function checks.jump()
  vim.api.nvim_win_set_cursor(0, {2, 13})
  vim.lsp.buf.definition()
  wait('a jump', function() return vim.fn.expand('%:t') == 'db.pp' end)
  say('jump', vim.fn.expand('%:t'), vim.api.nvim_win_get_cursor(0)[1])
end

function checks.complete()
  open('promises.cf')
  local answer = ask('textDocument/completion', 4, 18)
  say('complete', answer.items[1].label)
  open('modules/app/manifests/db.pp')
end

function checks.rename()
  if not can('textDocument/rename') then return end
  vim.api.nvim_win_set_cursor(0, {1, 24})
  vim.lsp.buf.rename('number')
  wait('a rename', function() return lines():find('notice%(%$number%)') end)
  say('rename', vim.api.nvim_buf_get_lines(0, 0, 1, false)[1])
end

function checks.fix()
  if not can('textDocument/codeAction') then return end
  open('modules/app/manifests/init.pp')
  local cycle = has('CG301')
  vim.api.nvim_win_set_cursor(0, {cycle.lnum + 1, cycle.col})
  local params = vim.lsp.util.make_range_params()
  params.context = {diagnostics = {cycle.user_data and cycle.user_data.lsp and {
    range = params.range, message = cycle.message, code = cycle.code, source = cycle.source} or nil}}
  local before = lines()
  local answers = vim.lsp.buf_request_sync(0, 'textDocument/codeAction', params, 20000) or {}
  for _, action in ipairs((answers[client] or {}).result or {}) do
    if action.edit == nil and can('codeAction/resolve') then
      action = (vim.lsp.buf_request_sync(0, 'codeAction/resolve', action, 60000)[client] or {}).result
    end
    if action and action.edit then
      vim.lsp.util.apply_workspace_edit(action.edit, 'utf-16')
      if lines() ~= before then return say('fix', action.title) end
    end
  end
  error('no fix: ' .. vim.inspect(answers))
end

local ok, problem = pcall(function()
  for _, name in ipairs({'diagnostics', 'jump', 'complete', 'rename', 'fix'}) do checks[name]() end
end)
if not ok then say('failed', tostring(problem)) end
vim.cmd('qall!')
