import { clone, createFileRegistry, create, type DescFile } from '@bufbuild/protobuf';
import {
  FileDescriptorProtoSchema,
  type FileDescriptorSet,
  FileDescriptorSetSchema,
  MethodOptionsSchema,
  MethodOptions_IdempotencyLevel as Level,
} from '@bufbuild/protobuf/wkt';
import { Probe, type ProbeService } from '../client/probe-service.fixture.js';

/** Probe as if its proto said `idempotency_level = IDEMPOTENT` of some methods, by their names. */
export function idempotentProbe(...names: readonly string[]): ProbeService {
  const { file } = Probe;
  const proto = clone(FileDescriptorProtoSchema, file.proto);
  for (const service of proto.service) {
    for (const method of service.method) {
      if (!names.includes(method.name)) continue;
      method.options = create(MethodOptionsSchema, { idempotencyLevel: Level.IDEMPOTENT });
    }
  }
  const set: FileDescriptorSet = create(FileDescriptorSetSchema, {
    file: [...imported(file).map((each) => each.proto), proto],
  });
  return createFileRegistry(set).getService(Probe.typeName) as unknown as ProbeService;
}

function imported({ dependencies }: DescFile): DescFile[] {
  return [...new Set(dependencies.flatMap((each) => [...imported(each), each]))];
}
