/** The options of CronModule. */
export const CRON_OPTIONS = Symbol.for('apix.cron.CronModuleOptions');
