/** A call, as a program would make it. */
export interface PlannedCall {
  /** In upper case. */
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** How the answer is read. */
  readonly answer: 'json' | 'stream' | 'text';
}

/** A program in a language, under the name of what it calls with. */
export interface CodeSample {
  readonly label: string;
  readonly source: string;
}

/** In texts of a call, the place of the credential: a program reads it from a variable, and is safe to pass on. */
export const CREDENTIAL = '\0';

/** The command for curl in a POSIX shell, which reads the credential from `$TOKEN`. */
export function curlOf({ method, url, headers, body, answer }: PlannedCall): string {
  const isDefault = method === (body === undefined ? 'GET' : 'POST');
  const flags = method === 'HEAD' ? ' --head' : isDefault ? '' : ` -X ${method}`;
  const lines = [
    `curl${answer === 'stream' ? ' -N' : ''}${flags} ${forShell(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${forShell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${forShell(body)}`]),
  ];
  return lines.join(' \\\n  ');
}

/** A module for pages and Node, which reads the credential from a variable `token`. */
export function fetchOf({ method, url, headers, body, answer }: PlannedCall): string {
  const named = Object.entries(headers).map(
    ([name, value]) => `    ${key(name)}: ${inCode(value)},`,
  );
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(named.length === 0 ? [] : ['  headers: {', ...named, '  },']),
    ...(body === undefined ? [] : [`  body: ${bodyInCode(body)},`]),
  ];
  const init = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`;
  return `const response = await fetch(${inCode(url)}${init});\n${READS[answer]}`;
}

const READS: Readonly<Record<PlannedCall['answer'], string>> = {
  json: 'console.log(response.status, await response.json());',
  text: 'console.log(response.status, await response.text());',
  stream:
    'const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();\n' +
    'for (let part = await reader.read(); !part.done; part = await reader.read()) {\n' +
    '  console.log(part.value);\n}',
};

function forShell(text: string): string {
  if (!text.includes(CREDENTIAL)) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const escaped = text.replaceAll(/["$\\`]/g, String.raw`\$&`);
  return `"${escaped.replaceAll(CREDENTIAL, '$TOKEN')}"`;
}

function inCode(text: string): string {
  if (text.includes(CREDENTIAL)) {
    return `\`${text.replaceAll(/[$\\`]/g, String.raw`\$&`).replaceAll(CREDENTIAL, '${token}')}\``;
  }
  const escaped = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"');
  return `'${escaped.replaceAll("'", String.raw`\'`)}'`;
}

function key(name: string): string {
  return /^[A-Za-z]\w*$/.test(name) ? name : inCode(name);
}

/** JSON as an object, which can be changed. */
function bodyInCode(body: string): string {
  try {
    const lines = JSON.stringify(JSON.parse(body), null, 2).split('\n');
    return `JSON.stringify(${lines.join('\n  ')})`;
  } catch {
    return inCode(body);
  }
}
