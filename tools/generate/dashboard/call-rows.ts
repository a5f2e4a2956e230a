import { metric, quantile, rate } from './metrics.js';
import type { Panel, Query, Row } from './panels.js';

const HTTP = 'http_server_request_duration';

function quantiles(name: string, by: string): readonly Query[] {
  return [0.5, 0.95, 0.99].map((q) => ({
    expr: quantile(q, name, by),
    legend: `p${q * 100} {{${by}}}`,
  }));
}

export const REQUESTS: Row = {
  title: 'Requests',
  panels: [
    {
      title: 'Requests by route',
      description: 'HTTP requests that were answered, in a second.',
      unit: 'reqps',
      queries: [
        {
          expr: rate(metric(HTTP, 'seconds', '_count'), 'http_request_method, http_route'),
          legend: '{{http_request_method}} {{http_route}}',
        },
      ],
    },
    {
      title: 'Failed requests by route',
      description: 'HTTP requests that were answered with 5xx, in a second.',
      unit: 'reqps',
      queries: [
        {
          expr: rate(
            metric(HTTP, 'seconds', '_count', 'http_response_status_code=~"5.."'),
            'http_request_method, http_route',
          ),
          legend: '{{http_request_method}} {{http_route}}',
        },
      ],
    },
    {
      title: 'Duration of requests by route',
      description: 'How long HTTP requests took: half of them, 95 % and 99 % took less.',
      unit: 's',
      queries: quantiles(HTTP, 'http_route'),
    },
    {
      title: 'Requests under way',
      description: 'HTTP requests that are not answered yet.',
      unit: 'short',
      queries: [
        {
          expr: `sum by (http_request_method) (${metric('http_server_active_requests', '')})`,
          legend: '{{http_request_method}}',
        },
      ],
    },
    {
      title: 'Answers of the gateway',
      description: 'REST requests that the gateway answered, by status, in a second.',
      unit: 'reqps',
      queries: [
        { expr: rate(metric('apix_gateway_requests_total', ''), 'status'), legend: '{{status}}' },
      ],
    },
    {
      title: 'Decisions of authz',
      description: 'Calls that were allowed and denied, in a second.',
      unit: 'reqps',
      queries: [
        { expr: rate(metric('apix_authz_decisions_total', ''), 'outcome'), legend: '{{outcome}}' },
      ],
    },
  ],
};

function calls(end: 'server' | 'client', what: string): readonly Panel[] {
  const name = `rpc_${end}_call_duration`;
  return [
    {
      title: `Calls ${what} by method and code`,
      description: `gRPC calls that were ${what} and have ended, in a second.`,
      unit: 'reqps',
      queries: [
        {
          expr: rate(metric(name, 'seconds', '_count'), 'rpc_method, rpc_status_code'),
          legend: '{{rpc_method}} {{rpc_status_code}}',
        },
      ],
    },
    {
      title: `Failed calls ${what}`,
      description: `gRPC calls that were ${what} and failed, in a second.`,
      unit: 'reqps',
      queries: [
        {
          expr: rate(metric(name, 'seconds', '_count', 'error_type!=""'), 'rpc_method, error_type'),
          legend: '{{rpc_method}} {{error_type}}',
        },
      ],
    },
    {
      title: `Duration of calls ${what}`,
      description: `How long gRPC calls took that were ${what}: half of them, 95 % and 99 % took less.`,
      unit: 's',
      queries: quantiles(name, 'rpc_method'),
    },
  ];
}

export const RPCS: Row = {
  title: 'RPCs',
  panels: [...calls('server', 'received'), ...calls('client', 'made')],
};
