import { httpLoad } from './http-load.js';
import type { StartLoad } from './load.js';

/** A way to reach the service under test; each is put through every scenario. */
export interface Protocol {
  /** What `app.mjs` is told to serve. */
  readonly name: string;
  readonly load: StartLoad;
  /** For the control, without the streams on which stock Nest's shutdown hangs. */
  readonly controlLoad: StartLoad;
}

const http = {
  load: (port: number) => httpLoad(port, true),
  controlLoad: (port: number) => httpLoad(port, false),
};

export const protocols: readonly Protocol[] = [
  { name: 'express', ...http },
  { name: 'fastify', ...http },
];
