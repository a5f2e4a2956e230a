import {
  type DescriptorProto,
  type EnumDescriptorProto,
  type FieldDescriptorProto,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  type FileDescriptorProto,
} from '@bufbuild/protobuf/wkt';

/**
 * Text of a proto2 or proto3 file that declares the same names, numbers and types as its
 * descriptor, which is all that an importing file needs to compile. Options, comments, defaults
 * and services are left out.
 *
 * It serves files whose text is in no package, only their descriptor; put the true descriptor
 * back into what was compiled.
 */
export function printProto(file: FileDescriptorProto): string {
  return [
    `syntax = "${file.syntax === '' ? 'proto2' : file.syntax}";`,
    `package ${file.package};`,
    ...file.dependency.map((path) => `import "${path}";`),
    ...file.enumType.map(printEnum),
    ...file.messageType.map((message) => printMessage(message, file)),
    ...file.extension.map((field) => printExtension(field, file)),
    '',
  ].join('\n');
}

function printEnum(type: EnumDescriptorProto): string {
  const values = type.value.map((value) => `${value.name} = ${value.number};`);
  return `enum ${type.name} { ${values.join(' ')} }`;
}

function printMessage(message: DescriptorProto, file: FileDescriptorProto): string {
  const parts = [
    ...message.enumType.map(printEnum),
    ...message.nestedType.map((nested) => printMessage(nested, file)),
    ...message.extension.map((field) => printExtension(field, file)),
    ...message.extensionRange.map(({ start, end }) => `extensions ${start} to ${end - 1};`),
    ...message.field
      .filter((field) => !inOneof(field))
      .map((field) => `${label(field, file)}${printField(field)}`),
    ...message.oneofDecl.map((oneof, index) => {
      const members = message.field.filter((field) => inOneof(field) && field.oneofIndex === index);
      return members.length === 0
        ? ''
        : `oneof ${oneof.name} { ${members.map(printField).join(' ')} }`;
    }),
  ];
  return `message ${message.name} {\n${parts.join('\n')}\n}`;
}

function printExtension(field: FieldDescriptorProto, file: FileDescriptorProto): string {
  return `extend ${field.extendee} { ${label(field, file)}${printField(field)} }`;
}

function printField(field: FieldDescriptorProto): string {
  const type = field.typeName === '' ? Type[field.type].toLowerCase() : field.typeName;
  return `${type} ${field.name} = ${field.number};`;
}

function inOneof(field: FieldDescriptorProto): boolean {
  return Object.hasOwn(field, 'oneofIndex') && !field.proto3Optional;
}

function label(field: FieldDescriptorProto, file: FileDescriptorProto): string {
  if (field.label === Label.REPEATED) return 'repeated ';
  if (field.label === Label.REQUIRED) return 'required ';
  return file.syntax === 'proto3' && !field.proto3Optional ? '' : 'optional ';
}
