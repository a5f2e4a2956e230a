import { plainSource } from './plain-source.js';

/** The module from which a main creates the app. */
export interface MainModule {
  /** For example `AppModule`. */
  readonly name: string;
  /** Its file, relative to the main and without extension, such as `app.module`. */
  readonly file: string;
}

const MADE =
  /\b(?:NestFactory\s*\.\s*create(?:Microservice)?|runHost)\s*(?:<[^()]*>)?\s*\(\s*(\w+)/;

/** The root module of a main that imports it by name from its own folder or below; undefined for any other main. */
export function rootModuleOf(main: string): MainModule | undefined {
  const name = MADE.exec(plainSource(main))?.[1];
  if (name === undefined) return undefined;
  const from = new RegExp(
    `import\\s*\\{[^}]*\\b${name}\\b[^}]*\\}\\s*from\\s*['"]\\./([\\w./-]+?)(?:\\.js)?['"]`,
  ).exec(main)?.[1];
  return from === undefined ? undefined : { name, file: from };
}
