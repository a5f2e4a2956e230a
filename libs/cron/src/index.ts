export { CronModule } from './nest/cron.module.js';
export { At, Every } from './nest/job.decorators.js';
export { CronJobs } from './nest/cron-jobs.js';
export { at, every } from './job/make-job.js';
export { parseExpression } from './schedule/parse-expression.js';
export { scheduleFunc } from './schedule/schedule.js';
export type { CronModuleOptions } from './nest/cron-options.js';
export type { AtDecoratorOptions, EveryOptions } from './nest/job.decorators.js';
export type { JobControl } from './job/hosted-job.js';
export type { JobStatus, RunRecord } from './job/job-status.js';
export type { AtOptions, JobOptions, JobWork, Tick } from './job/job-options.js';
export type { ExpressionOptions } from './schedule/parse-expression.js';
export type { Schedule } from './schedule/schedule.js';

export { CronError } from './errors.js';
export type { HostedJob } from './job/hosted-job.js';
export type { Replicas } from './job/replicas.js';
