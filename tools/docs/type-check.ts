import { join } from 'node:path';
import ts from 'typescript';
import type { CodeBlock } from './code-blocks.js';

/**
 * What the compiler says of TypeScript blocks, each a module of its own that sees the packages
 * as their users do: `file:line: message`, empty for none.
 */
export function typeMistakes(root: string, blocks: readonly CodeBlock[]): string[] {
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  const sources = new Map(
    blocks.map((block, index) => [join(root, `apps/demo/src/block-${index}.ts`), block]),
  );
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (file) => sources.has(file) || disk.fileExists(file),
    getSourceFile: (file, how, ...rest) => {
      const block = sources.get(file);
      if (block === undefined) return disk.getSourceFile(file, how, ...rest);
      return ts.createSourceFile(file, textOf(block), how);
    },
    resolveModuleNameLiterals: (literals, from, redirected, settings, source) =>
      literals.map((literal) => {
        const file = blockAt(sources, from, literal.text);
        const mode = ts.getModeForUsageLocation(source, literal, settings);
        return file === undefined
          ? ts.resolveModuleName(literal.text, from, settings, disk, undefined, redirected, mode)
          : { resolvedModule: { resolvedFileName: file, extension: ts.Extension.Ts } };
      }),
  };
  const program = ts.createProgram({
    rootNames: [...sources.keys()],
    options: { ...options, noUnusedLocals: false, noUnusedParameters: false },
    host,
  });
  return [...sources].flatMap(([file, block]) => {
    const source = program.getSourceFile(file)!;
    const found = [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ];
    return found.map((diagnostic) => describe(block, source, diagnostic));
  });
}

/** Blocks with names import each other, within their page. */
function blockAt(
  sources: ReadonlyMap<string, CodeBlock>,
  from: string,
  specifier: string,
): string | undefined {
  const page = sources.get(from)?.page;
  const name = specifier.replace(/^\.\/(.*)\.js$/, '$1.ts');
  return [...sources].find(([, block]) => block.page === page && block.file === name)?.[0];
}

function textOf({ given, code }: CodeBlock): string {
  return `${given}\nexport {};\n${code}`;
}

function describe(block: CodeBlock, source: ts.SourceFile, found: ts.Diagnostic): string {
  const message = ts.flattenDiagnosticMessageText(found.messageText, ' ');
  const { line } = source.getLineAndCharacterOfPosition(found.start ?? 0);
  const before = block.given.split('\n').length + 1;
  const where =
    line < before ? `${block.place} (given)` : `${block.page}:${block.line + line - before}`;
  return `${where}: ${message}`;
}
