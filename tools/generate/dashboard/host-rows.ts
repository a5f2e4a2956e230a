import { anyOf, metric, rate } from './metrics.js';
import type { Row } from './panels.js';

export const SERVICES: Row = {
  title: 'Services',
  panels: [
    {
      title: 'Hosts that are up',
      description:
        'Processes in which everything is started and nothing has asked the host to stop.',
      unit: 'short',
      stat: true,
      queries: [{ expr: `sum(${metric('hostx_host_up', '')})`, legend: 'up' }],
    },
    {
      title: 'Restarts and failures of services',
      description: 'Services that ended early: those that were restarted, and those that were not.',
      unit: 'short',
      queries: [
        {
          expr: `sum by (service) (increase(${metric('hostx_service_restarts_total', '')}[$__rate_interval]))`,
          legend: '{{service}} restarted',
        },
        {
          expr: `sum by (service) (increase(${metric('hostx_service_failures_total', '')}[$__rate_interval]))`,
          legend: '{{service}} failed',
        },
      ],
    },
    {
      title: 'Connections',
      description: 'Open connections of HTTP servers.',
      unit: 'short',
      queries: [
        {
          expr: `sum by (service, protocol) (${metric('hostx_http_connections', '')})`,
          legend: '{{service}} {{protocol}}',
        },
      ],
    },
  ],
};

export const JOBS: Row = {
  title: 'Jobs',
  panels: [
    {
      title: 'Runs by job and outcome',
      description: 'Runs that have ended, in a second.',
      unit: 'ops',
      queries: [
        {
          expr: rate(metric('apix_cron_runs_total', ''), 'exported_job, outcome'),
          legend: '{{exported_job}} {{outcome}}',
        },
      ],
    },
    {
      title: 'Duration of the last run',
      description: 'How long the last run of each job took.',
      unit: 's',
      queries: [
        {
          expr: `max by (exported_job) (${metric('apix_cron_last_duration', 'seconds')})`,
          legend: '{{exported_job}}',
        },
      ],
    },
    {
      title: 'Ticks that were skipped',
      description: 'Times at which a job was still running, or another process ran it.',
      unit: 'ops',
      queries: [
        {
          expr: rate(metric('apix_cron_skipped_total', ''), 'exported_job'),
          legend: '{{exported_job}}',
        },
      ],
    },
  ],
};

/** Of every kind of network sink. */
const sink = (figure: string): string => anyOf(`apix_logx_(elastic|otel)_${figure}`);

export const SINKS: Row = {
  title: 'Log sinks',
  panels: [
    {
      title: 'Events sent',
      description: 'Events that the other side accepted, in a second.',
      unit: 'ops',
      queries: [{ expr: rate(sink('sent_total'), 'index, target'), legend: '{{index}}{{target}}' }],
    },
    {
      title: 'Events lost',
      description: 'Events that were dropped, and why, in a second.',
      unit: 'ops',
      queries: [
        {
          expr: rate(sink('dropped_total'), 'index, target, reason'),
          legend: '{{index}}{{target}} {{reason}}',
        },
      ],
    },
    {
      title: 'Events that wait',
      description: 'Events in memory, to be sent.',
      unit: 'short',
      queries: [
        {
          expr: `sum by (index, target) (${sink('queued')})`,
          legend: '{{index}}{{target}}',
        },
      ],
    },
  ],
};
