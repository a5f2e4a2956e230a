import { create, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import type { CallTransport } from '../transport/call-transport.js';
import { ReflectionError } from '../errors.js';
import { REFLECTION_DESCRIPTORS } from './reflection-descriptors.js';
import { FileCollector } from './file-collector.js';
import {
  type ReflectionLimits,
  type ReflectionOptions,
  reflectionLimits,
} from './reflection-options.js';
import { NotServed, ReflectionStream } from './reflection-stream.js';

/** Services of gRPC itself, which are not the server's own. */
const OF_GRPC = /^grpc\.(?:reflection|health|channelz)\./;

/**
 * Asks a server for the descriptors of all its services, by `grpc.reflection.v1` or, if it has only that,
 * `v1alpha`. Files of `google/protobuf/` that the server leaves out are added. The result is a source for
 * `ProtoRegistry.load`, which checks whether the files fit together.
 *
 * @returns a binary FileDescriptorSet, files by name: the same server gives the same bytes.
 * @throws ReflectionError if the server has no reflection, does not answer, or sends more than the limits
 *   allow; GrpcSetupError for wrong options.
 */
export async function reflectDescriptors(
  transport: CallTransport,
  options: ReflectionOptions = {},
): Promise<Uint8Array> {
  const limits = reflectionLimits(options);
  const deadline = Date.now() + limits.timeout;
  for (const service of REFLECTION_DESCRIPTORS) {
    const stream = new ReflectionStream(transport, service, deadline);
    try {
      return await collect(stream, transport.target, limits);
    } catch (error) {
      if (!(error instanceof NotServed)) throw error;
    } finally {
      stream.close();
    }
  }
  throw new ReflectionError(
    `${transport.target} has no server reflection: switch it on there, or use a descriptor set`,
  );
}

async function collect(
  stream: ReflectionStream,
  target: string,
  limits: ReflectionLimits,
): Promise<Uint8Array> {
  const services = await servicesOf(stream, target, limits);
  const collector = new FileCollector(target, limits);
  for (const name of services) {
    if (!collector.hasService(name)) await fetchService(stream, name, target, collector);
  }
  let missing = collector.missing();
  while (missing.size > 0) {
    for (const name of missing) await fetchImport(stream, name, target, collector);
    missing = collector.missing();
  }
  const file = collector.files.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file }));
}

async function servicesOf(
  stream: ReflectionStream,
  target: string,
  { maxFiles }: ReflectionLimits,
): Promise<readonly string[]> {
  const answer = await stream.ask({ case: 'listServices', value: '' });
  if (answer.case !== 'listServicesResponse') throw new ReflectionError(refusal(target, answer));
  const names = answer.value.service.map(({ name }) => name).filter((name) => !OF_GRPC.test(name));
  if (names.length > maxFiles) {
    throw new ReflectionError(`${target} lists more than ${maxFiles} services`);
  }
  if (names.length === 0) throw new ReflectionError(`${target} lists no services`);
  return names.toSorted();
}

async function fetchImport(
  stream: ReflectionStream,
  name: string,
  target: string,
  collector: FileCollector,
): Promise<void> {
  // Another answer may have had it.
  if (collector.has(name)) return;
  const answer = await stream.ask({ case: 'fileByFilename', value: name });
  if (answer.case === 'fileDescriptorResponse') collector.add(answer.value.fileDescriptorProto);
  if (collector.has(name) || collector.addWellKnown(name)) return;
  // Else it would be asked for again and again.
  throw new ReflectionError(
    answer.case === 'fileDescriptorResponse'
      ? `${target} sent other files than "${name}"`
      : refusal(`"${name}"`, answer),
  );
}

async function fetchService(
  stream: ReflectionStream,
  name: string,
  target: string,
  collector: FileCollector,
): Promise<void> {
  const what = `the service ${name}`;
  const answer = await stream.ask({ case: 'fileContainingSymbol', value: name });
  if (answer.case !== 'fileDescriptorResponse') throw new ReflectionError(refusal(what, answer));
  collector.add(answer.value.fileDescriptorProto);
  if (!collector.hasService(name)) {
    throw new ReflectionError(`${target} lists ${what}, and its files do not declare it`);
  }
}

function refusal(what: string, answer: Awaited<ReturnType<ReflectionStream['ask']>>): string {
  const why =
    answer.case === 'errorResponse' ? answer.value.errorMessage : 'it answered something else';
  return `the reflection service does not describe ${what}: ${why}`;
}
