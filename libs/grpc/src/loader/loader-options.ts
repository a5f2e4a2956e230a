import {
  FLAG,
  type Option,
  type OptionTable,
  type ReadOptions,
  withDefault,
} from '@apix/contracts/internal';

/**
 * The form in which proto-loader gives messages to handlers, for apps that come from Nest's own transport. The
 * options are those of its `loader` with the same meaning; the paths among them (`includeDirs`) have none here.
 */
export interface LoaderOptions {
  /** Fields are named as in the `.proto` file, `plate_number`. Default: false, `plateNumber`. */
  readonly keepCase?: boolean;
  /** What integers of 64 bits are: `String` or `Number`. Default: bigint, where proto-loader has objects of `long`. */
  readonly longs?: StringConstructor | NumberConstructor;
  /** What values of enums are: `String`, for their names. Default: numbers. */
  readonly enums?: StringConstructor;
  /** What bytes are: `String`, for base64, or `Array`. Default: Buffer. */
  readonly bytes?: StringConstructor | ArrayConstructor;
  /** Fields that are not set have the default of their type; a message has null. Default: false. */
  readonly defaults?: boolean;
  /** Empty lists are there; `defaults` includes this. Default: false. */
  readonly arrays?: boolean;
  /** Empty maps are there; `defaults` includes this. Default: false. */
  readonly objects?: boolean;
  /** The name of a oneof holds the name of the field that is set. Default: false. */
  readonly oneofs?: boolean;
}

/** One of some constructors, which stand for types. */
function constructorOf<T>(wanted: string, ...types: readonly T[]): Option<T> {
  return {
    schema: undefined,
    read(value, at, mistakes) {
      if (types.includes(value as T)) return value as T;
      mistakes.add(at, `must be ${wanted}`);
      return undefined;
    },
  };
}

export const LOADER_OPTIONS = {
  keepCase: withDefault(FLAG, false),
  longs: constructorOf<StringConstructor | NumberConstructor>(
    'the constructor String or Number',
    String,
    Number,
  ),
  enums: constructorOf<StringConstructor>('the constructor String', String),
  bytes: constructorOf<StringConstructor | ArrayConstructor>(
    'the constructor String or Array',
    String,
    Array,
  ),
  defaults: withDefault(FLAG, false),
  arrays: withDefault(FLAG, false),
  objects: withDefault(FLAG, false),
  oneofs: withDefault(FLAG, false),
} satisfies OptionTable<LoaderOptions>;

/** The options with their defaults. */
export type LoaderForm = ReadOptions<typeof LOADER_OPTIONS>;
