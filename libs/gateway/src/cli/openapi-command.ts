import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { JsonError, thrownText } from '@apix/contracts';
import { readJsonText } from '@apix/contracts/internal';
import { ProtoRegistry } from '@apix/proto/core';
import { compileServices } from '../rules/compile-services.js';
import type { HttpRuleInit } from '../rules/extra-rules.js';
import { buildOpenApi } from '../openapi/build-document.js';

/** The input and output of the command; a test passes its own. */
export interface CommandIo {
  write(file: string, text: string): void;
  print(text: string): void;
  complain(text: string): void;
}

const USAGE = `apix-openapi <descriptors.binpb>... [options]

Writes the OpenAPI 3.1 document of the HTTP rules in descriptor sets.

  -o, --out <file>      where to write; default: standard output
  --title <text>        default: API
  --api-version <text>  default: 0.0.0
  --server <url>        may be given several times
  --prefix <path>       path that the gateway is mounted at; default: /
  --rules <file>        JSON list of HTTP rules with a selector each, as the option rules has
  --exclude <method>    leaves out shop.v1.Orders.Cancel or shop.v1.Orders.*; several times
  --proto-names         members are named as in the .proto files
  --status-errors       errors are google.rpc.Status rather than problem documents
  -h, --help
`;

/** Runs `apix-openapi` and returns its exit code: 0, or 2 for a mistake that it names. */
export function openapiCommand(args: readonly string[], io: CommandIo): number {
  try {
    const { values, positionals } = parse(args);
    if (values.help === true) {
      io.print(USAGE);
      return 0;
    }
    if (positionals.length === 0)
      throw new Error('no descriptor set is given: name one, such as gen/shop.binpb');
    const text = `${JSON.stringify(documentOf(positionals, values), null, 2)}\n`;
    if (values.out === undefined) io.print(text);
    else write(io, values.out, text);
    return 0;
  } catch (error) {
    io.complain(`apix-openapi: ${thrownText(error)}\n`);
    return 2;
  }
}

function write(io: CommandIo, file: string, text: string): void {
  try {
    io.write(file, text);
  } catch (error) {
    throw new Error(`cannot write ${file}: ${thrownText(error)}`, {
      cause: error,
    });
  }
}

type Values = ReturnType<typeof parse>['values'];

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      out: { type: 'string', short: 'o' },
      title: { type: 'string' },
      'api-version': { type: 'string' },
      server: { type: 'string', multiple: true },
      prefix: { type: 'string' },
      rules: { type: 'string' },
      exclude: { type: 'string', multiple: true },
      'proto-names': { type: 'boolean' },
      'status-errors': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
}

function rulesOf(file: string): HttpRuleInit[] {
  try {
    const rules: unknown = readJsonText(readFileSync(file, 'utf8')).value;
    if (Array.isArray(rules)) return rules as HttpRuleInit[];
  } catch (error) {
    const place = error instanceof JsonError ? `${file}:${error.line}` : file;
    throw new Error(`cannot read ${place}: ${thrownText(error)}`, {
      cause: error,
    });
  }
  throw new Error(`${file} is not a list of rules`);
}

function documentOf(files: string[], values: Values) {
  const protos = ProtoRegistry.load(files);
  const rules = values.rules === undefined ? [] : rulesOf(values.rules);
  const { bindings } = compileServices(protos.services, rules, values.exclude);
  const transcoding = {
    json: { protoNames: values['proto-names'] ?? false },
    errors: values['status-errors'] === true ? ('status' as const) : ('problem' as const),
  };
  const prefix = (values.prefix ?? '/').replace(/\/+$/, '');
  return buildOpenApi(
    { protos, bindings, prefix, transcoding },
    {
      info: {
        ...(values.title !== undefined && { title: values.title }),
        ...(values['api-version'] !== undefined && { version: values['api-version'] }),
      },
      ...(values.server && { servers: values.server.map((url) => ({ url })) }),
    },
  );
}
