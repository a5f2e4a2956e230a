export { bullmqReplicas } from './bullmq-replicas.js';
export type { BullmqOptions } from './bullmq-options.js';
