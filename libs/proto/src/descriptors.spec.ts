import { describe, expect, it } from '@jest/globals';
import { KindsSchema, kinds } from './kinds.fixture.js';
import { callMethodOf } from './method-name.js';
import { optionOf } from './option.js';

const [probe] = kinds.services;
const [unary, serverStream, clientStream] = probe!.methods;
const markOption = kinds.registry.getExtension('apix.testdata.mark')!;

describe('callMethodOf', () => {
  it.each([
    ['Unary', 'unary'],
    ['ServerStream', 'server_stream'],
    ['ClientStream', 'client_stream'],
    ['BidiStream', 'bidi_stream'],
  ])('tells a call stage what %s is', (name, kind) => {
    const method = kinds.method(`/apix.testdata.Probe/${name}`)!;
    expect(callMethodOf(method)).toEqual({
      fullName: `/apix.testdata.Probe/${name}`,
      service: 'apix.testdata.Probe',
      name,
      kind,
    });
  });
});

describe('optionOf', () => {
  it('gives the value of an option that is written', () => {
    expect(optionOf(unary!, markOption)).toMatchObject({ text: 'seen' });
  });

  it('tells an empty option from none', () => {
    expect(optionOf(serverStream!, markOption)).toMatchObject({ text: '' });
    expect(optionOf(clientStream!, markOption)).toBeUndefined();
  });

  it('finds no option of methods on a message that has options', () => {
    expect(KindsSchema.proto.options).toBeDefined();
    expect(optionOf(KindsSchema, markOption)).toBeUndefined();
  });
});

describe('ProtoRegistry.comments', () => {
  const colour = kinds.registry.getEnum('apix.testdata.Colour')!;
  const inner = kinds.registry.getMessage('apix.testdata.Kinds.Inner')!;
  const innerEnum = kinds.registry.getEnum('apix.testdata.Kinds.InnerEnum')!;
  it.each([
    ['a file', KindsSchema.file, 'Shapes of fields.'],
    ['a service', probe!, 'Calls of every kind.'],
    ['a method, in paragraphs', unary!, 'Once there, once back.\n\nIn two paragraphs.'],
    ['a method, as a block', serverStream!, 'A stream of answers.'],
    ['a message', KindsSchema, 'One field of each kind.'],
    ['a field', KindsSchema.field['doubleValue']!, 'A double.'],
    ['a member of a oneof', KindsSchema.field['choiceText']!, 'As text.'],
    ['a oneof', KindsSchema.oneofs[0]!, 'One of several.'],
    ['a nested message', inner, 'A message inside a message.'],
    ['a field of a nested message', inner.fields[0]!, 'A field inside it.'],
    ['an enum', colour, 'Colours.'],
    ['a value of an enum', colour.values[1]!, 'As blood.'],
    ['a nested enum', innerEnum, 'An enum inside a message.'],
    ['a value of a nested enum', innerEnum.values[0]!, 'Nothing.'],
    ['an extension', markOption, 'An option of a method.'],
  ])('gives the comment before %s', (_, desc, comment) => {
    expect(kinds.comments(desc)).toBe(comment);
  });

  it('is empty where nothing is said', () => {
    expect(kinds.comments(KindsSchema.field['floatValue']!)).toBe('');
  });
});
