import type { AppFiles } from '../app/app-files.js';

/** The .proto files of an app, by the folder `proto`, which is compiled. */
export interface Protos {
  readonly inFolder: readonly string[];
  readonly elsewhere: readonly string[];
  /** The HTTP paths of the methods in the folder. */
  readonly rules: readonly string[];
  /** Whether files of google/api are among them; buf takes a path from one place only. */
  readonly hasGoogleApi: boolean;
  /** An import of the folder that the compiler would not find, as `a.proto imports "b.proto"`. */
  readonly notFound: string | undefined;
}

/** What buf.yaml provides apart from the folder: the well-known types, the policies. */
const PROVIDED = /^(?:google\/protobuf\/|apix\/)/;
/** The files of `@apix/proto`, which it provides if the folder has none below google/api. */
const GOOGLE_API = /^google\/api\/(?:annotations|field_behavior|http|httpbody)\.proto$/;

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
  const hasGoogleApi = inFolder.some((path) => path.startsWith('proto/google/api/'));
  const isProvided = (name: string): boolean =>
    PROVIDED.test(name) || (!hasGoogleApi && GOOGLE_API.test(name));
  const lost = imports.find(([, name]) => !isProvided(name) && !files.exists(`proto/${name}`));
  return {
    inFolder,
    elsewhere: all.filter((path) => !path.startsWith('proto/')),
    rules: texts
      .filter(([, text]) => /\(\s*\.?google\.api\.http\s*\)/.test(text))
      .flatMap(([, text]) => [...text.matchAll(RULE)].map(([, path]) => path!)),
    hasGoogleApi,
    notFound: lost && `${lost[0]} imports "${lost[1]}"`,
  };
}
