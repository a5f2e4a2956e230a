import { equals, fromBinary, toBinary } from '@bufbuild/protobuf';
import { nestedTypes } from '@bufbuild/protobuf/reflect';
import {
  file_google_protobuf_any,
  file_google_protobuf_descriptor,
  file_google_protobuf_struct,
  file_google_protobuf_type,
  file_google_protobuf_wrappers,
} from '@bufbuild/protobuf/wkt';
import { file_buf_validate_validate } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js';
import { expect, it } from '@jest/globals';
import { sampleMessages } from './sample-messages.js';

// Types that contain themselves, enums without a 0, required fields, maps, oneofs and each kind of list.
const types = [
  file_google_protobuf_any,
  file_google_protobuf_descriptor,
  file_google_protobuf_struct,
  file_google_protobuf_type,
  file_google_protobuf_wrappers,
  file_buf_validate_validate,
]
  .flatMap((file) => [...nestedTypes(file)])
  .filter((type) => type.kind === 'message')
  // Holds one that has required fields, and its sample an empty one.
  .filter(({ typeName }) => !typeName.startsWith('google.protobuf.UninterpretedOption'));

it.each(types.map((type) => [type.typeName, type] as const))(
  'the samples of %s are messages that can be sent',
  (_, desc) => {
    for (const sample of sampleMessages(desc)) {
      expect(equals(desc, fromBinary(desc, toBinary(desc, sample)), sample)).toBe(true);
    }
  },
);
