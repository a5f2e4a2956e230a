import {
  type DescriptorProto,
  type EnumDescriptorProto,
  type FieldDescriptorProto,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  type FileDescriptorProto,
} from '@bufbuild/protobuf/wkt';

/** The comments of declarations, by full name; that of the file is before everything, under its path. */
export type ProtoComments = Readonly<Record<string, string>>;

/**
 * Text of a proto2 or proto3 file that declares the same names, numbers and types as its
 * descriptor, which is all that an importing file needs to compile. Of options, those of the file and `packed`
 * are kept; defaults and services are left out.
 *
 * It serves files whose text is in no package, only their descriptor, or not ours to copy.
 */
export function printProto(file: FileDescriptorProto, comments: ProtoComments = {}): string {
  const at: Place = { file, comments, scope: file.package };
  const parts = [
    [
      ...commentOf(comments[file.name]),
      `syntax = "${file.syntax === '' ? 'proto2' : file.syntax}";`,
    ],
    [`package ${file.package};`],
    file.dependency.map((path) => `import "${path}";`),
    fileOptions(file),
    ...file.extension.map((field) => printExtension(field, at)),
    ...file.messageType.map((message) => printMessage(message, at)),
    ...file.enumType.map((type) => printEnum(type, at)),
  ];
  const printed = parts.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${printed.join('\n\n')}\n`;
}

interface Place {
  readonly file: FileDescriptorProto;
  readonly comments: ProtoComments;
  /** Full name of what is around. */
  readonly scope: string;
}

type Lines = readonly string[];

/** What other languages generate from the file. */
function fileOptions({ options }: FileDescriptorProto): Lines {
  if (options === undefined) return [];
  const { goPackage, javaMultipleFiles, javaOuterClassname, javaPackage, objcClassPrefix } =
    options;
  const texts = {
    go_package: goPackage,
    java_outer_classname: javaOuterClassname,
    java_package: javaPackage,
    objc_class_prefix: objcClassPrefix,
  };
  const set = Object.entries(texts).filter(([, text]) => text !== '');
  return [
    ...set.map(([name, text]) => `option ${name} = ${JSON.stringify(text)};`),
    ...(javaMultipleFiles ? ['option java_multiple_files = true;'] : []),
  ].toSorted();
}

function printEnum(type: EnumDescriptorProto, at: Place): Lines {
  // Values are named in the scope of their enum.
  const values = type.value.map((value) =>
    commented(value.name, at, [`${value.name} = ${value.number};`]),
  );
  return commented(type.name, at, [`enum ${type.name} {`, ...indented(values), '}']);
}

function printMessage(message: DescriptorProto, outer: Place): Lines {
  const at = { ...outer, scope: `${outer.scope}.${message.name}` };
  const ranges = message.extensionRange.map(({ start, end }) => [
    `extensions ${start} to ${end - 1};`,
  ]);
  const parts = [
    ...message.enumType.map((type) => printEnum(type, at)),
    ...message.nestedType.map((nested) => printMessage(nested, at)),
    ...message.extension.map((field) => printExtension(field, at)),
    ...ranges,
    ...message.field.flatMap((field, index) => {
      if (!inOneof(field)) return [fieldLines(field, at)];
      // A oneof is where its first field is.
      const members = message.field.filter(
        (other) => inOneof(other) && other.oneofIndex === field.oneofIndex,
      );
      if (members[0] !== message.field[index]) return [];
      const { name } = message.oneofDecl[field.oneofIndex]!;
      const inner = members.map((member) => fieldLines(member, at));
      return [commented(name, at, [`oneof ${name} {`, ...indented(inner), '}'])];
    }),
  ];
  return commented(message.name, outer, [`message ${message.name} {`, ...indented(parts), '}']);
}

function printExtension(field: FieldDescriptorProto, at: Place): Lines {
  return [`extend ${field.extendee.slice(1)} {`, ...indented([fieldLines(field, at)]), '}'];
}

function fieldLines(field: FieldDescriptorProto, at: Place): Lines {
  const type = field.typeName === '' ? Type[field.type].toLowerCase() : field.typeName.slice(1);
  const { options } = field;
  const isPacked = options !== undefined && Object.hasOwn(options, 'packed');
  const packed = isPacked ? ` [packed = ${options.packed}]` : '';
  const prefix = inOneof(field) ? '' : label(field, at.file);
  return commented(field.name, at, [`${prefix}${type} ${field.name} = ${field.number}${packed};`]);
}

function commented(name: string, { comments, scope }: Place, lines: Lines): Lines {
  return [...commentOf(comments[`${scope}.${name}`]), ...lines];
}

function commentOf(text: string | undefined): Lines {
  if (text === undefined) return [];
  return text.split('\n').map((line) => `// ${line}`.trimEnd());
}

/** With an empty line between parts that have comments. */
function indented(parts: readonly Lines[]): Lines {
  return parts.flatMap((lines, index) => {
    const isApart = index > 0 && lines.length > 1;
    return [...(isApart ? [''] : []), ...lines.map((line) => (line === '' ? '' : `  ${line}`))];
  });
}

function inOneof(field: FieldDescriptorProto): boolean {
  return Object.hasOwn(field, 'oneofIndex') && !field.proto3Optional;
}

function label(field: FieldDescriptorProto, file: FileDescriptorProto): string {
  if (field.label === Label.REPEATED) return 'repeated ';
  if (field.label === Label.REQUIRED) return 'required ';
  return file.syntax === 'proto3' && !field.proto3Optional ? '' : 'optional ';
}
