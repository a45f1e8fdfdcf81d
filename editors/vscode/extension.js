// Starts `catgraph lsp`, and opens the graph page and the terminal screens.
'use strict';

const { execFile } = require('node:child_process');
const { mkdtemp, readFile } = require('node:fs/promises');
const { tmpdir } = require('node:os');
const path = require('node:path');
const vscode = require('vscode');
const {
  CloseAction,
  ErrorAction,
  LanguageClient,
  RevealOutputChannelOn,
} = require('vscode-languageclient/node');

const DOCUMENTS = [
  { scheme: 'file', language: 'puppet' },
  { scheme: 'file', language: 'cfengine3' },
  { scheme: 'file', pattern: '**/*.{pp,epp,cf}' },
  { scheme: 'file', pattern: '**/{data,hieradata}/**/*.{yaml,yml,eyaml}' },
  { scheme: 'file', pattern: '**/catgraph.toml' },
];

// Ends of the server within these milliseconds after which it is not started again.
const MOST_ENDS = 5;
const WITHIN = 180000;

let client;
let ends = [];

// One message for a server that ended; what failed because of that is in the output channel only.
const errorHandler = {
  error: () => ({ action: ErrorAction.Continue, handled: true }),
  closed: () => {
    ends = [...ends.filter((time) => time > Date.now() - WITHIN), Date.now()];
    if (ends.length < MOST_ENDS) {
      vscode.window.showWarningMessage('The catgraph server ended unexpectedly and starts again.');
      return { action: CloseAction.Restart, handled: true };
    }
    vscode.window.showErrorMessage(
      `The catgraph server ended ${MOST_ENDS} times in three minutes and stays off: ` +
        'see the output "catgraph", then use the command "catgraph: Restart the language server".'
    );
    return { action: CloseAction.DoNotRestart, handled: true };
  },
};

// The program that the user names: a setting of the machine, which no workspace can change.
function program() {
  return vscode.workspace.getConfiguration('catgraph').get('path') || 'catgraph';
}

async function start() {
  const server = { command: program(), args: ['lsp'] };
  client = new LanguageClient('catgraph', 'catgraph', server, {
    documentSelector: DOCUMENTS,
    initializationOptions: vscode.workspace.getConfiguration('catgraph'),
    synchronize: { configurationSection: 'catgraph' },
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    errorHandler,
  });
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(
      `catgraph does not start: ${error.message}. Install it with pip install 'catgraph[lsp]', ` +
        'or set catgraph.path.'
    );
  }
}

// What a command is about: the arguments of a code lens, or the open file.
function subject(file, ref) {
  const open = vscode.window.activeTextEditor;
  const found = typeof file === 'string' ? file : open && open.document.uri.fsPath;
  if (!found) vscode.window.showInformationMessage('Open a manifest or a policy first.');
  return found ? { file: found, ref: typeof ref === 'string' ? ref : '' } : undefined;
}

function folderOf(file) {
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file));
  return folder ? folder.uri.fsPath : path.dirname(file);
}

async function openGraph(file, ref) {
  const about = subject(file, ref);
  if (!about) return;
  const page = path.join(await mkdtemp(path.join(tmpdir(), 'catgraph-')), 'graph.html');
  const focus = about.ref ? ['--focus', about.ref] : [];
  const words = ['graph', about.file, '--format', 'html', '-o', page, ...focus];
  execFile(program(), words, { cwd: folderOf(about.file) }, (error, _, problems) => {
    if (error) vscode.window.showErrorMessage(problems.trim() || error.message);
    else show(page, about.ref || path.basename(about.file));
  });
}

// The browser of a user elsewhere cannot open a file of this machine: there the page is a tab.
async function show(page, title) {
  const isHere = vscode.env.uiKind === vscode.UIKind.Desktop && !vscode.env.remoteName;
  if (isHere) {
    await vscode.env.openExternal(vscode.Uri.file(page));
    return;
  }
  const options = { enableScripts: true, retainContextWhenHidden: true };
  const column = vscode.ViewColumn.Beside;
  const panel = vscode.window.createWebviewPanel('catgraph.graph', title, column, options);
  panel.webview.html = await readFile(page, 'utf8');
}

function openScreens(file, ref) {
  const about = subject(file, ref);
  if (!about) return;
  const terminal = vscode.window.createTerminal({
    name: 'catgraph',
    cwd: folderOf(about.file),
    shellPath: program(),
    shellArgs: ['tui', about.file],
  });
  terminal.show();
}

async function restart() {
  ends = [];
  if (client && client.needsStop()) await client.stop();
  await start();
}

async function activate(context) {
  const commands = {
    'catgraph.openGraph': openGraph,
    'catgraph.openScreens': openScreens,
    'catgraph.restart': restart,
  };
  for (const [name, run] of Object.entries(commands)) {
    context.subscriptions.push(vscode.commands.registerCommand(name, run));
  }
  await start();
}

function deactivate() {
  return client && client.stop();
}

module.exports = { activate, deactivate };
