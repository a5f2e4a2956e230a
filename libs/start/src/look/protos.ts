import type { AppFiles } from '../app/app-files.js';

/** The .proto files of an app, by the folder `proto`, which is compiled. */
export interface Protos {
  readonly inFolder: readonly string[];
  readonly elsewhere: readonly string[];
  /** The HTTP paths of the methods in the folder. */
  readonly rules: readonly string[];
  /** An import of the folder that the compiler would not find, as `a.proto imports "b.proto"`. */
  readonly notFound: string | undefined;
}

/** What buf.yaml provides apart from the folder: google/api of protobufjs, the well-known types, the policies. */
const PROVIDED = /^(?:google\/protobuf\/|google\/api\/(?:annotations|http)\.proto$|apix\/)/;

const RULE = /\b(?:get|put|post|delete|patch|path)\s*[:=]\s*["'](\/[^"']*)["']/g;

const COMMENT = /\/\/[^\n]*|\/\*[^]*?\*\//g;

export function protosOf(files: AppFiles): Protos {
  const all = files.below('', '.proto');
  const inFolder = all.filter((path) => path.startsWith('proto/'));
  const texts = inFolder.map(
    (path) => [path, (files.text(path) ?? '').replaceAll(COMMENT, '')] as const,
  );
  const imports = texts.flatMap(([path, text]) =>
    [...text.matchAll(/^\s*import\s+(?:public\s+|weak\s+)?["']([^"']+)["']/gm)].map(
      ([, name]) => [path, name!] as const,
    ),
  );
  const lost = imports.find(([, name]) => !PROVIDED.test(name) && !files.exists(`proto/${name}`));
  return {
    inFolder,
    elsewhere: all.filter((path) => !path.startsWith('proto/')),
    rules: texts
      .filter(([, text]) => /\(\s*\.?google\.api\.http\s*\)/.test(text))
      .flatMap(([, text]) => [...text.matchAll(RULE)].map(([, path]) => path!)),
    notFound: lost && `${lost[0]} imports "${lost[1]}"`,
  };
}
