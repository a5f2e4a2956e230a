import { callArguments, plainSource } from '../source/plain-source.js';
import type { AppSources } from './app-sources.js';

/** Packages that log each request. */
const PACKAGES = ['nestjs-pino', 'pino-http', 'morgan', 'express-winston'];

/** Where an instance of Fastify is made, and what makes it log in its options. */
const FASTIFY = /\b(?:FastifyAdapter|[Ff]astify)\s*\(/g;
const LOGGER = /[{,]\s*logger(?:Instance)?\s*(?::(?!\s*false)|[,}])/;

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
  const file = sources.fileThat((text) =>
    callArguments(plainSource(text), FASTIFY).some(
      (given) => LOGGER.test(given) && !/\bdisableRequestLogging\s*:\s*true\b/.test(given),
    ),
  );
  return file === undefined ? undefined : { name: 'Fastify', file };
}
