import { type MessageInitShape, create, toBinary } from '@bufbuild/protobuf';
import {
  FeatureSet_FieldPresence as Presence,
  FieldDescriptorProto_Label as Label,
  type FieldDescriptorProtoSchema,
  FieldDescriptorProto_Type as Type,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import { ProtoRegistry } from '../proto-registry.js';

type FieldInit = MessageInitShape<typeof FieldDescriptorProtoSchema>;

const PART = { type: Type.MESSAGE, typeName: '.needy.Part' };
const TEXT = { type: Type.STRING };

const fields = (...inits: FieldInit[]): FieldInit[] =>
  inits.map((init, at) => ({ number: at + 1, label: Label.OPTIONAL, ...init }));

const orders = (input: string) => ({
  method: [
    { name: 'Put', inputType: input, outputType: input },
    { name: 'Watch', inputType: input, outputType: input, serverStreaming: true },
    { name: 'Sum', inputType: input, outputType: input, clientStreaming: true },
    {
      name: 'Talk',
      inputType: input,
      outputType: input,
      clientStreaming: true,
      serverStreaming: true,
    },
  ],
});

const LEGACY = { options: { features: { fieldPresence: Presence.LEGACY_REQUIRED } } };

/** `required` of proto2, and the same by the feature of an edition. */
export const needy = ProtoRegistry.load(
  toBinary(
    FileDescriptorSetSchema,
    create(FileDescriptorSetSchema, {
      file: [
        {
          name: 'needy.proto',
          package: 'needy',
          messageType: [
            { name: 'Part', field: fields({ name: 'sku_code', ...TEXT, label: Label.REQUIRED }) },
            {
              name: 'Order',
              field: fields(
                { name: 'order_name', ...TEXT, label: Label.REQUIRED },
                { name: 'part', ...PART },
                { name: 'parts', ...PART, label: Label.REPEATED },
                {
                  name: 'by_key',
                  type: Type.MESSAGE,
                  typeName: '.needy.Order.ByKeyEntry',
                  label: Label.REPEATED,
                },
                { name: 'chosen', ...PART, oneofIndex: 0 },
                { name: 'text', ...TEXT, oneofIndex: 0 },
                { name: 'note', ...TEXT },
              ),
              oneofDecl: [{ name: 'pick' }],
              nestedType: [
                {
                  name: 'ByKeyEntry',
                  field: fields({ name: 'key', ...TEXT }, { name: 'value', ...PART }),
                  options: { mapEntry: true },
                },
              ],
            },
          ],
          service: [{ name: 'Orders', ...orders('.needy.Order') }],
        },
        {
          name: 'edited.proto',
          package: 'needy',
          syntax: 'editions',
          edition: 1000,
          dependency: ['needy.proto'],
          messageType: [
            { name: 'Box', field: fields({ name: 'only_part', ...PART, ...LEGACY }) },
            {
              name: 'Edited',
              field: fields({ name: 'order_name', ...TEXT, ...LEGACY }, { name: 'part', ...PART }),
            },
          ],
          service: [{ name: 'Edits', ...orders('.needy.Edited') }],
        },
      ],
    }),
  ),
);
