import type { Event } from '../event/event.js';
import type { FieldValue } from '../value/field-value.js';

const NANOSECONDS = 1e6;

/** ECS's own fields of a request event; undefined for other events. */
// Why: docs/decisions/0250
export function requestFields(event: Event): ReadonlyMap<string, FieldValue> | undefined {
  const { kind, extras } = event;
  if (kind === undefined) return undefined;
  const fields = new Map<string, FieldValue>();
  if (kind === 'http') {
    const method = event.argument('Method');
    const path = event.argument('Path');
    const status = event.argument('Status');
    if (typeof method === 'string') fields.set('http.request.method', method);
    if (typeof path === 'string') fields.set('url.path', path);
    if (isCount(status)) fields.set('http.response.status_code', status);
    const bytes = extras.get('bytes');
    if (isCount(bytes)) fields.set('http.response.body.bytes', bytes);
  }
  const duration = extras.get('duration_ms');
  if (typeof duration === 'number' && duration >= 0) {
    fields.set('event.duration', Math.round(duration * NANOSECONDS));
  }
  return fields.size === 0 ? undefined : fields;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
