/** Why: docs/decisions/0240 */
export { Queue, QueueEvents, RedisConnection, WaitingError, Worker } from 'bullmq';
