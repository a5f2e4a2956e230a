export { tracedClient } from './traced-client.js';
export type { TracedClientOptions } from './traced-client.js';
