import type { Manifest } from '../architecture/package-tree.js';

/** What a README tells its readers to install. */
export interface InstallLines {
  /** By the first command. */
  readonly always: readonly string[];
  /** By the others, each with what its comment says that it is for. */
  readonly optional: ReadonlyMap<string, string>;
}

const BEGINNING =
  /^# (?<name>@apix\/\S+)\n\n(?:(?!```|<!--|#).+\n)+\n```sh\n(?<script>[^]*?)^```$/m;

/** The commands with which a README begins: right after its title and one sentence. */
export function installLinesOf(readme: string): InstallLines | undefined {
  const script = BEGINNING.exec(readme)?.groups?.['script'];
  if (script === undefined) return undefined;
  const [first = '', ...others] = script.replaceAll('\\\n', ' ').trim().split('\n');
  const optional = others.flatMap((line) => {
    const [command = '', purpose = ''] = line.split(/ +# /);
    return namesIn(command).map((name) => [name, purpose] as const);
  });
  return { always: namesIn(first), optional: new Map(optional) };
}

function namesIn(command: string): string[] {
  const [npm, install, ...names] = command.trim().split(/\s+/);
  return npm === 'npm' && install === 'install' ? names : [`not npm install: ${command}`];
}

/** Where the commands of a README and the peers of its package differ. */
export function installMistakes(readme: string, manifest: Manifest): string[] {
  const { name, dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
  const lines = installLinesOf(readme);
  if (lines === undefined) return [`${name}: does not begin with its install line`];
  const peers = Object.keys(peerDependencies);
  const isOptional = (peer: string): boolean => peerDependenciesMeta[peer]?.optional === true;
  const required = peers.filter((peer) => !isOptional(peer));
  const { always, optional } = lines;
  return [
    ...(always[0] === name ? [] : [`${name}: the first line does not install it`]),
    ...required.filter((peer) => !always.includes(peer)).map((peer) => `${name}: lacks ${peer}`),
    ...peers
      .filter((peer) => isOptional(peer) && !optional.has(peer))
      .map((peer) => `${name}: lacks the optional ${peer}`),
    ...always
      .filter((one) => one !== name && !required.includes(one) && !(one in dependencies))
      .map((one) => `${name}: ${one} is not needed`),
    ...[...optional]
      .filter(([, purpose]) => purpose === '')
      .map(([one]) => `${name}: does not say what ${one} is for`),
  ];
}
