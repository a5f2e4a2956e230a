import { readFileSync } from 'node:fs';

/** From the root of the repository, where this test runs. */
const FILE = 'libs/gateway-server/deploy/Dockerfile';

/** The container file: its instructions in order, each with its text. */
export function readContainerFile() {
  const text = readFileSync(FILE, 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ');
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => ({
    name: line.slice(0, line.indexOf(' ')),
    text: line.slice(line.indexOf(' ')).replaceAll(/\s+/g, ' ').trim(),
  }));
}

/** The one instruction of a name, in the last stage unless it is only in the first. */
export function instruction(name) {
  const found = readContainerFile().findLast((it) => it.name === name);
  if (found === undefined) throw new Error(`the container file has no ${name}`);
  return found.text;
}

/** What the first stage has npm install: its arguments. */
export function installArguments() {
  const { text } = readContainerFile().find(({ name }) => name === 'RUN');
  const [npm, ...args] = text.replaceAll('$VERSION', 'latest').split(' ');
  if (npm !== 'npm') throw new Error(`the container file runs ${npm}`);
  return args;
}
