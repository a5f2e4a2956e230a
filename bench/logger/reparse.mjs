// What a program does that gets JSON lines and needs other formats: the same fields as ours.
const SEVERITIES = { info: 9 };

export function ecsOf({ level, time, '@mt': template, message, ...fields }) {
  return {
    'log.level': level,
    'ecs.version': '8.11.0',
    '@timestamp': time,
    'message_template.text': template,
    ...fields,
    message,
  };
}

export function otelOf({ level, time, '@mt': template, message, ...fields }) {
  const nanos = `${Date.parse(time)}000000`;
  const attributes = Object.entries({ ...fields, 'log.template': template })
    .map(([key, value]) => ({ key, value: anyValueOf(value) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
  return {
    timeUnixNano: nanos,
    observedTimeUnixNano: nanos,
    severityNumber: SEVERITIES[level],
    severityText: level.toUpperCase(),
    body: { stringValue: message },
    attributes,
  };
}

function anyValueOf(value) {
  if (typeof value === 'string') return { stringValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
