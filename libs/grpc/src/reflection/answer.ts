import { Code } from '@apix/contracts';
import type { DescFile } from '@bufbuild/protobuf';
import type { ServerReflectionRequest } from '@apix/grpc-client/protos';
import type { DescriptorIndex } from './descriptor-index.js';

type Question = ServerReflectionRequest['messageRequest'];

/** The content of a `ServerReflectionResponse`, of either version of the protocol. */
export type ReflectionAnswer =
  | { readonly case: 'fileDescriptorResponse'; readonly value: FileDescriptors }
  | { readonly case: 'allExtensionNumbersResponse'; readonly value: ExtensionNumbers }
  | { readonly case: 'listServicesResponse'; readonly value: Services }
  | { readonly case: 'errorResponse'; readonly value: ReflectionFailure };

interface FileDescriptors {
  readonly fileDescriptorProto: Uint8Array[];
}
interface ExtensionNumbers {
  readonly baseTypeName: string;
  readonly extensionNumber: number[];
}
interface Services {
  readonly service: { readonly name: string }[];
}
interface ReflectionFailure {
  readonly errorCode: Code;
  readonly errorMessage: string;
}

/** One caller's conversation: a file that was sent is not sent again as an import of another. */
export class ReflectionDialogue {
  readonly #sent = new Set<DescFile>();

  constructor(
    private readonly index: DescriptorIndex,
    /** Full names of the services that the server serves. */
    private readonly services: readonly string[],
  ) {}

  /** Answers one request; what cannot be answered is said in the answer, as the protocol has it. */
  answer(question: Question): ReflectionAnswer {
    switch (question.case) {
      case 'fileByFilename':
        return this.#file(this.index.file(question.value), `file ${question.value}`);
      case 'fileContainingSymbol':
        return this.#file(this.index.fileOfSymbol(question.value), `symbol ${question.value}`);
      case 'fileContainingExtension': {
        const { containingType, extensionNumber } = question.value;
        const file = this.index.fileOfExtension(containingType, extensionNumber);
        return this.#file(file, `extension ${extensionNumber} of ${containingType}`);
      }
      case 'allExtensionNumbersOfType':
        return this.#numbers(question.value);
      case 'listServices': {
        const service = this.services.map((name) => ({ name }));
        return { case: 'listServicesResponse', value: { service } };
      }
      case undefined:
        return failure(Code.INVALID_ARGUMENT, 'the request is of an unknown kind');
    }
  }

  #file(file: DescFile | undefined, what: string): ReflectionAnswer {
    if (file === undefined) return failure(Code.NOT_FOUND, `there is no ${what}`);
    const news = this.index
      .withImports(file)
      .filter((each) => each === file || !this.#sent.has(each));
    for (const each of news) this.#sent.add(each);
    const fileDescriptorProto = news.map((each) => this.index.encode(each));
    return { case: 'fileDescriptorResponse', value: { fileDescriptorProto } };
  }

  #numbers(typeName: string): ReflectionAnswer {
    const numbers = this.index.extensionNumbers(typeName);
    if (numbers === undefined) return failure(Code.NOT_FOUND, `there is no message ${typeName}`);
    return {
      case: 'allExtensionNumbersResponse',
      value: { baseTypeName: typeName, extensionNumber: [...numbers] },
    };
  }
}

function failure(errorCode: Code, errorMessage: string): ReflectionAnswer {
  return { case: 'errorResponse', value: { errorCode, errorMessage } };
}
