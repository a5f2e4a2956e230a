const ODD_TIMES = [
  '2023-02-29T00:00:00Z',
  '2024-04-31T00:00:00Z',
  '2024-02-30T00:00:00Z',
  '2024-01-01T24:00:00Z',

  '2023-02-28T23:59:60Z',
  '2023-13-01T00:00:00Z',
  '2023-00-10T00:00:00Z',
  '2023-01-00T00:00:00Z',

  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+00:01',
  '9999-12-31T23:59:59-00:01',
  '2024-02-29t00:00:00z',

  '2024-02-29T00:00:00',
  '2024-02-29T00:00:00+0000',
  '2024-02-29T00:00:00+24:00',
  '2024-02-29T00:00:00-23:59',

  '2024-02-29T00:00:00.Z',
  '2024-02-29T00:00:00.1234567891Z',
  '2024-02-29 00:00:00Z',
  '2024-2-9T0:0:0Z',

  '2024-02-29T00:60:00Z',
  '2024-02-29T25:00:00Z',
  '',
  ' 2024-02-29T00:00:00Z',
  '2024-02-29T00:00:00Z\\n',

  '+12024-02-29T00:00:00Z',
  '2100-02-29T00:00:00Z',
  '2000-02-29T00:00:00Z',
  '2024-02-29T00:00:00+12:60',
  '2024-02-29T24:00:00.5Z',
  '1969-12-31T23:59:59.999999999Z',
  '2024-06-31T12:00:00+02:00',
];

const ODD_DURATIONS = [
  '1h',
  '1',
  's',
  '-s',
  '.5s',
  '1.s',
  '+1s',
  '1e3s',
  '0x1s',
  ' 1s',
  '1s ',
  '1s1s',
  '1sx',
  '1ss',
  '--1s',

  '1.1234567891s',
  '315576000001s',
  '-315576000001s',
  '315576000000.999999999s',
  '01s',
  '-0s',
  '-0.5s',

  '0.000000001s',
  '1.000000000s',
  '',
  '1S',
  '1.5',
  '99999999999999999999999s',
  '-0.0s',
  '1.5s\\n',
];

const ODD_MASKS = [
  'a_b',
  '_',
  'A',
  'aB',
  'a,,b',
  ',',
  ' a',
  'a.b.c',
  'a..b',
  'a1',
  'aB1',
  'é',
  'a,b,',
  '\\ud800',
];

const quoted = (texts: readonly string[]): string[] => texts.map((text) => `"${text}"`);
const NO_TEXTS = ['null', '5', 'true', '{}', '[]', '{"seconds":1}'];

/** JSON of types with a form of their own that is odd, wrong or both. */
export const ODD_WELL_KNOWN: { readonly [typeName: string]: readonly string[] } = {
  'google.protobuf.Timestamp': [...quoted(ODD_TIMES), ...NO_TEXTS],
  'google.protobuf.Duration': [...quoted(ODD_DURATIONS), ...NO_TEXTS],
  'google.protobuf.FieldMask': [...quoted(ODD_MASKS), ...NO_TEXTS],
  'google.protobuf.Empty': ['{"a":1}', 'null', '[]', '{"":{}}', '1'],
  'google.protobuf.Struct': [
    'null',
    '[]',
    '1',
    '{"a":{"a":1},"a":2}',
    '{"\\ud800":1}',
    '{"a":"\\udc00"}',
    '{"a":1e400}',
  ],
  'google.protobuf.ListValue': [
    'null',
    '{}',
    '[[],[null]]',
    '["\\ud800"]',
    '[1,]',
    '[1e400]',
    '[-0]',
    '[1 2]',
  ],
  'google.protobuf.Value': [
    '1e400',
    '"\\ud800"',
    '-0',
    '1e999',
    '{"a":1,"\\u0061":2}',
    'undefined',
    '[,]',
  ],
  'google.protobuf.Any': [
    '{}',
    'null',
    '{"@type":""}',
    '{"@type":1}',
    '{"value":1}',
    '{"@type":"/"}',
    '{"@type":"x/"}',

    '{"@type":"type.googleapis.com/no.Such"}',
    '{"@type":"google.protobuf.Empty"}',
    '[]',
    '{"@type":null}',

    '{"@type":"x/google.protobuf.Duration"}',
    '{"@type":"x/google.protobuf.Duration","value":"1s","x":1}',

    '{"@type":"x/google.protobuf.Empty","value":{}}',
    '{"value":"1s","@type":"x/google.protobuf.Duration"}',

    '{"@type":"x/google.protobuf.Any","value":{"@type":"x/google.protobuf.Int64Value","value":"5"}}',

    '{"@type":"x/google.protobuf.Value","value":null}',
    '{"@type":"\\ud800/google.protobuf.Empty"}',

    '{"@type":"x/google.protobuf.Empty","@type":"x/google.protobuf.Empty"}',
    '{"@type":"x/google.protobuf.Any"}',
  ],
};
