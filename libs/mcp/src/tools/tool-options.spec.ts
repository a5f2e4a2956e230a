import { type MessageInitShape, create, setExtension } from '@bufbuild/protobuf';
import { MethodOptionsSchema, type FileDescriptorProto } from '@bufbuild/protobuf/wkt';
import { WireType } from '@bufbuild/protobuf/wire';
import { describe, expect, it } from '@jest/globals';
import { McpConfigError } from '../errors.js';
import { ToolOptionsSchema, tool } from '../gen/apix/mcp/mcp_pb.js';
import { TOOLS, changedTools, methodIn } from '../tools.fixture.js';
import { toolsOf } from './tool-options.js';
import { cleanLine, cleanText } from './tool-text.js';

const tools = toolsOf(TOOLS.services);
const named = (name: string) => {
  const { method, ...rest } = tools.find((each) => each.name === name)!;
  return { ...rest, method: method.name };
};

type Options = MessageInitShape<typeof ToolOptionsSchema>;

/** The mistakes in the file with other options of some methods of Shelf. */
function mistakesWith(
  options: Readonly<Record<string, Options>>,
  change?: (file: FileDescriptorProto) => void,
): readonly string[] {
  const protos = changedTools((file) => {
    for (const [name, init] of Object.entries(options)) {
      const method = methodIn(file, 'Shelf', name);
      method.options ??= create(MethodOptionsSchema);
      setExtension(method.options, tool, create(ToolOptionsSchema, init));
    }
    change?.(file);
  });
  try {
    toolsOf(protos.services);
  } catch (error) {
    if (error instanceof McpConfigError) return error.mistakes;
    throw error;
  }
  return [];
}

describe('the tools of services', () => {
  it('are the methods with the option, and those of services with it', () => {
    expect(tools.map(({ name }) => name)).toEqual([
      'Shelf_Put',
      'look',
      'Shelf_Watch',
      'stock_Count',
      'stock_Clear',
      'stock_Check',
    ]);
  });

  it('are named and described by the proto, without what it tells linters', () => {
    expect(named('Shelf_Put')).toEqual({
      name: 'Shelf_Put',
      description: 'Puts a thing on the shelf.\n\nThings that are there already stay.',
      hints: { idempotentHint: true },
      method: 'Put',
    });
  });

  it('are as the option says, in characters that people see', () => {
    expect(named('look')).toEqual({
      name: 'look',
      title: 'Look at a thing',
      description: 'Shows one thing.',
      hints: { readOnlyHint: true, openWorldHint: false },
      method: 'Get',
    });
  });

  it('say that they are deprecated', () => {
    expect(named('Shelf_Watch').description).toBe('Deprecated. Tells what happens on the shelf.');
  });

  it('have the hints of their service, unless they have their own', () => {
    expect(named('stock_Count').hints).toEqual({ destructiveHint: true, idempotentHint: false });
    expect(named('stock_Clear').hints).toEqual({ destructiveHint: false, idempotentHint: false });
  });

  it('have a description even without a comment', () => {
    const bare = changedTools((file) => delete file.sourceCodeInfo);
    expect(toolsOf(bare.services)[0]!.description).toBe('Calls tools.v1.Shelf.Put.');
  });
});

describe('mistakes in options', () => {
  const PUT = 'tools/v1/tools.proto:25:12: rpc tools.v1.Shelf.Put, option (apix.mcp.tool)';
  const UNKNOWN = 'has fields that this version of @apix/mcp does not know; update the package';
  const UPLOAD = 'rpc tools.v1.Shelf.Upload, option (apix.mcp.tool)';

  it('are all told at once, by file and line', () => {
    const found = mistakesWith({
      Put: { name: 'put it' },
      Get: { name: 'Shelf_Watch' },
      Upload: {},
    });
    expect(found).toEqual([
      `${PUT}: "put it" is not the name of a tool; use 1 to 128 letters, digits, "_", "-" and "."`,
      `${UPLOAD}: the method has a stream of requests, which a tool cannot have; remove the option`,
      expect.stringMatching(
        /^tools\/v1\/tools\.proto:45:12: rpc tools\.v1\.Shelf\.Watch, option \(apix\.mcp\.tool\): the name "Shelf_Watch" is that of rpc tools\.v1\.Shelf\.Get; set another name$/,
      ),
    ]);
  });

  it.each<[string, Options, string]>([
    ['a name that is too long', { name: 'a'.repeat(129) }, 'is not the name of a tool'],
    [
      'hints that contradict each other',
      { hints: { readOnly: true, destructive: true } },
      'hints are read_only and destructive, which cannot both be true',
    ],
  ])('are %s', (_, options, mistake) => {
    expect(mistakesWith({ Put: options })).toEqual([expect.stringContaining(mistake)]);
  });

  it.each([
    // A field 99, which is 1.
    ['with fields of a later version', [0x03, 0x98, 0x06, 0x01], UNKNOWN],
    ['that cannot be read', [0x01, 0xff], 'is not an apix.mcp.ToolOptions: '],
  ])('are an option %s', (_, bytes, mistake) => {
    const found = mistakesWith({}, (file) => {
      const { options } = methodIn(file, 'Shelf', 'Put');
      const data = new Uint8Array(bytes);
      options!.$unknown = [{ no: tool.number, wireType: WireType.LengthDelimited, data }];
    });
    expect(found).toEqual([expect.stringContaining(`${PUT}: ${mistake}`)]);
  });
});

describe('texts for models', () => {
  it.each([
    ['a\u0000b\u001b[31mc\u009bd', 'ab[31mcd'],
    ['hidden \u{e0068}\u{e0069}\u202e\u2066\u200b\ufeff text', 'hidden  text'],
    ['a\r\nb\u2028c\td', 'a\nb\nc d'],
    ['family \u{1f468}\u200d\u{1f469}', 'family \u{1f468}\u200d\u{1f469}'],
    ['half \ud83c', 'half \ufffd'],
    ['private \ue000', 'private'],
  ])('are %j as %j', (text, clean) => {
    expect(cleanText(text, 100)).toBe(clean);
  });

  it('end somewhere, and may be one line', () => {
    expect(cleanText('a'.repeat(20), 10)).toBe(`${'a'.repeat(9)}…`);
    expect(cleanLine('a\n b', 10)).toBe('a b');
  });
});
