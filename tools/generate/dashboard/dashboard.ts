import { REQUESTS, RPCS } from './call-rows.js';
import { JOBS, SERVICES, SINKS } from './host-rows.js';
import { laidOut } from './panels.js';
import { PROCESS } from './process-row.js';

/** Of Grafana 11; later ones bring it up to date by themselves. */
export const SCHEMA_VERSION = 39;

/** What is to be imported into Grafana, as JSON. */
export function dashboardJson(): Buffer {
  const dashboard = {
    __inputs: [],
    __requires: [
      { type: 'grafana', id: 'grafana', name: 'Grafana', version: '11.0.0' },
      { type: 'datasource', id: 'prometheus', name: 'Prometheus', version: '1.0.0' },
    ],
    uid: 'apix',
    title: 'apix',
    description:
      'Requests, calls, services, jobs, log sinks and the process. Generated; change a copy.',
    tags: ['apix', 'nestjs', 'opentelemetry'],
    schemaVersion: SCHEMA_VERSION,
    version: 1,
    editable: true,
    graphTooltip: 1,
    refresh: '30s',
    time: { from: 'now-1h', to: 'now' },
    timezone: '',
    annotations: { list: [] },
    links: [],
    templating: { list: [datasource(), variable('job'), variable('instance', 'job=~"$job"')] },
    panels: laidOut([REQUESTS, RPCS, SERVICES, JOBS, SINKS, PROCESS]),
  };
  return Buffer.from(`${JSON.stringify(dashboard, null, 2)}\n`);
}

function datasource(): object {
  return { type: 'datasource', name: 'datasource', label: 'Data source', query: 'prometheus' };
}

/** The values of a label, of which one or more can be chosen. */
function variable(label: string, matchers = ''): object {
  const query = `label_values(target_info{${matchers}}, ${label})`;
  return {
    type: 'query',
    name: label,
    datasource: { type: 'prometheus', uid: '${datasource}' },
    definition: query,
    query: { query, refId: label },
    includeAll: true,
    allValue: '.*',
    current: { selected: true, text: ['All'], value: ['$__all'] },
    multi: true,
    refresh: 2,
    sort: 1,
  };
}
