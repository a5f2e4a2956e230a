import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** The blocks of TypeScript on a page in Markdown; those with more than `ts` at the top are not. */
export function codeOf(page: string): readonly string[] {
  return [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code!);
}

/** What the compiler has against sources, in the words of this repository's configuration. */
export function mistakesIn(sources: readonly string[]): readonly string[] {
  const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, (path) => ts.sys.readFile(path)) as {
    config: unknown;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  // Of an example not everything is used.
  Object.assign(options, { noUnusedLocals: false });
  const files = new Map(sources.map((code, i) => [`${ROOT}apps/demo/src/page-${i}.ts`, code]));
  const host = ts.createCompilerHost(options);
  const onDisk = ts.createCompilerHost(options);
  host.fileExists = (name) => files.has(name) || onDisk.fileExists(name);
  host.getSourceFile = (name, version, ...others) => {
    const code = files.get(name);
    return code === undefined
      ? onDisk.getSourceFile(name, version, ...others)
      : ts.createSourceFile(name, code, version);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files.keys()].flatMap((name) => {
    const file = program.getSourceFile(name);
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
      ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'),
    );
  });
}
