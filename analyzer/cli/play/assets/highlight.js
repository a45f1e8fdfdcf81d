// Colours for Puppet and YAML: the first pattern that matches at a place decides.

const KEYWORDS = "and|application|attr|case|class|consumes|default|define|else|elsif|environment|" +
  "false|function|if|import|in|inherits|node|or|plan|private|produces|site|true|type|undef|unless";
const STATEMENTS = "include|require|contain|realize|notice|warning|err|fail|create_resources|lookup|" +
  "each|map|filter|reduce|with|epp|inline_epp|template|inline_template|file|sprintf|split|join|" +
  "ensure_packages|ensure_resource|ensure_resources|assert_type|dig|merge|keys|values|tag|hiera|call";

const PUPPET = [
  ["c", /#[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y],
  ["s", /@\(\s*"?([^\n")/]+?)"?\s*(?:\/[^)\n]*)?\)[^\n]*\n[\s\S]*?\n[ \t]*\|?[ \t]*-?[ \t]*\1(?![\w])/y],
  ["s", /'(?:[^'\\]|\\[\s\S])*(?:'|$)/y],
  ["text", /"(?:[^"\\]|\\[\s\S])*(?:"|$)/y],
  ["v", /\$(?:::)?[a-z_][\w]*(?:::[a-z_]\w*)*|\$\d+/y],
  ["p", /[a-z_]\w*(?=\s*[=+]>)|\*(?=\s*=>)/y],
  ["o", /[-~]>|<[-~]|<<?\||\|>>?|=>|\+>|[=!]=|[=!]~|<=|>=|<<|>>|[-+*/%<>=!?|@]/y],
  ["n", /\b(?:0x[0-9a-fA-F]+|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)\b/y],
  ["k", new RegExp(`\\b(?:${KEYWORDS})\\b(?!\\s*=>)`, "y")],
  ["t", /(?:::)?[A-Z]\w*(?:::[A-Z]\w*)*/y],
  ["k", new RegExp(`\\b(?:${STATEMENTS})\\b(?=[\\s(])(?!\\s*\\{)`, "y")],
  ["t", /(?:::)?[a-z_]\w*(?:::[a-z_]\w*)*(?=\s*\{)/y],
  ["", /(?:::)?[a-z_][\w-]*(?:::[a-z_]\w*)*/y],
];
const YAML = [
  ["c", /#[^\n]*/y],
  ["p", /(?:'[^'\n]*'|"[^"\n]*"|[\w.:-]*[\w.-]|[\w.-]+)(?=\s*:(?:\s|$))/y],
  ["s", /'(?:[^']|'')*'|"(?:[^"\\]|\\[\s\S])*"/y],
  ["v", /%\{[^}\n]*\}/y],
  ["n", /\b\d+(?:\.\d+)?\b/y],
  ["k", /\b(?:true|false|null|yes|no)\b|~(?=\s)/y],
  ["o", /^---|^\.\.\.|[-{}[\],:&*>|]/y],
  ["", /[\w./-]+/y],
];
const LANGUAGES = { pp: PUPPET, epp: PUPPET, yaml: YAML, yml: YAML, json: YAML, toml: YAML, conf: YAML };

// Pieces of a text: [class, text]. Variables inside double quotes are pieces of their own.
function pieces(text, name) {
  const rules = LANGUAGES[name.split(".").pop()] || [];
  const found = [];
  const add = (style, part) => {
    const last = found[found.length - 1];
    if (last && last[0] === style) last[1] += part;
    else if (part) found.push([style, part]);
  };
  let at = 0;
  scan: while (at < text.length) {
    for (const [style, pattern] of rules) {
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      if (!match || !match[0]) continue;
      if (style === "text") quoted(match[0], add);
      else add(style, match[0]);
      at += match[0].length;
      continue scan;
    }
    add("", text[at++]);
  }
  return found;
}

function quoted(text, add) {
  const inside = /\$\{[^}"]*\}|\$(?:::)?[a-z_]\w*(?:::\w+)*/g;
  let at = 0;
  for (const match of text.matchAll(inside)) {
    add("s", text.slice(at, match.index));
    add("v", match[0]);
    at = match.index + match[0].length;
  }
  add("s", text.slice(at));
}

// Lines of pieces, none of which has a line break.
function colouredLines(text, name) {
  const lines = [[]];
  for (const [style, part] of pieces(text, name)) {
    part.split("\n").forEach((one, i) => {
      if (i) lines.push([]);
      if (one) lines[lines.length - 1].push([style, one]);
    });
  }
  return lines;
}
