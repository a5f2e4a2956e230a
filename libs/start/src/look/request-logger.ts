import type { AppSources } from './app-sources.js';

/** Packages that log each request. */
const PACKAGES = ['nestjs-pino', 'pino-http', 'morgan', 'express-winston'];

const FASTIFY_LOGGER = /new\s+FastifyAdapter\s*\(\s*\{[^)]*\blogger(?:Instance)?\s*:(?!\s*false)/;

/** What already logs each request of the app. */
export interface RequestLogger {
  readonly name: string;
  readonly file: string;
}

export function requestLoggerOf(sources: AppSources): RequestLogger | undefined {
  for (const name of PACKAGES) {
    const file = sources.fileWith(new RegExp(`['"]${name}['"]`));
    if (file !== undefined) return { name, file };
  }
  const file = sources.fileThat(
    (text) => FASTIFY_LOGGER.test(text) && !/disableRequestLogging\s*:\s*true/.test(text),
  );
  return file === undefined ? undefined : { name: 'Fastify', file };
}
