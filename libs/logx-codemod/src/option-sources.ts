import { ts } from './npm-install/typescript.js';
import { type AppFile, visit } from './app-file.js';
import type { FilesOfApp, Declared } from './files-of-app.js';

export type OptionFunction =
  ts.ArrowFunction | ts.FunctionExpression | ts.FunctionDeclaration | ts.MethodDeclaration;

/** An object literal, and the file that contains it. */
export interface FoundLiteral {
  readonly file: AppFile;
  readonly literal: ts.ObjectLiteralExpression;
}

/** A function that is declared apart from the call, or a constant, with what its type has to become. */
export interface Typed {
  readonly file: AppFile;
  readonly node: ts.VariableDeclaration | ts.ExportAssignment | OptionFunction;
  /** Whether it holds options of `forRootAsync`. */
  readonly isAsync: boolean;
}

/** Why options cannot be followed, and where. */
export interface UnfollowedOption {
  readonly file: AppFile;
  readonly node: ts.Node;
  readonly what: string;
}

/** Where options are written. */
export interface OptionSource {
  readonly literals: FoundLiteral[];
  /** The constants and functions on the way to the literals. */
  readonly declared: Declared[];
  /** The places that name them on this way. */
  readonly visited: Set<ts.Node>;
  readonly typed: Typed[];
  /** The types of `as` and `satisfies` on the way. */
  readonly casts: { readonly file: AppFile; readonly node: ts.TypeNode }[];
  /** Factories that are written in the call, whose declared types are not needed any more. */
  readonly inline: OptionFunction[];
  readonly obstacles: UnfollowedOption[];
}

const MAX_STEPS = 16;

/** Follows options from `forRoot` and `forRootAsync` to the object literals that they come from. */
export class OptionFollower {
  readonly source: OptionSource = {
    literals: [],
    declared: [],
    visited: new Set(),
    typed: [],
    casts: [],
    inline: [],
    obstacles: [],
  };
  #isAsync = false;
  #steps = 0;

  constructor(private readonly files: FilesOfApp) {}

  /** The options of `forRoot`. */
  options(given: ts.Expression, file: AppFile): OptionSource {
    this.#follow(given, file);
    return this.source;
  }

  /** The options of `forRootAsync`, whose factory returns options. */
  asyncOptions(given: ts.Expression, file: AppFile): OptionSource {
    this.#isAsync = true;
    this.#follow(given, file);
    this.#isAsync = false;
    const [only, ...others] = this.source.literals.splice(0);
    if (only === undefined) return this.source;
    if (others.length > 0)
      this.#obstacle(only.literal, only.file, 'more than one object of options');
    this.#factoryIn(only);
    return this.source;
  }

  #factoryIn({ literal, file }: FoundLiteral): void {
    const strange = literal.properties.find(
      (it) => !/^(?:imports|inject|useFactory)$/.test(it.name?.getText() ?? ''),
    );
    if (strange !== undefined) {
      return this.#obstacle(
        strange,
        file,
        `the option ${strange.name?.getText() ?? 'of a spread'}`,
      );
    }
    const member = literal.properties.find((it) => it.name?.getText() === 'useFactory');
    if (member === undefined) return this.#obstacle(literal, file, 'no useFactory');
    if (ts.isMethodDeclaration(member)) return this.#inline(member, file);
    if (ts.isShorthandPropertyAssignment(member)) return this.#called(member.name, file);
    if (!ts.isPropertyAssignment(member)) return this.#obstacle(member, file, 'no useFactory');
    const value = withoutParentheses(member.initializer);
    if (isFunction(value)) return this.#inline(value, file);
    this.#called(value, file);
  }

  #inline(node: OptionFunction, file: AppFile): void {
    this.source.inline.push(node);
    this.#returned(node, file);
  }

  #follow(given: ts.Expression, file: AppFile): void {
    if (++this.#steps > MAX_STEPS) return this.#obstacle(given, file, 'too many steps');
    const node = withoutParentheses(given);
    if (ts.isObjectLiteralExpression(node)) {
      this.source.literals.push({ file, literal: node });
    } else if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) {
      this.source.casts.push({ file, node: node.type });
      this.#follow(node.expression, file);
    } else if (ts.isConditionalExpression(node)) {
      this.#follow(node.whenTrue, file);
      this.#follow(node.whenFalse, file);
    } else if (ts.isIdentifier(node)) this.#constant(node, file);
    else if (ts.isCallExpression(node)) this.#called(node.expression, file);
    else this.#obstacle(node, file, nodeText(node));
  }

  #constant(node: ts.Identifier, file: AppFile): void {
    const declared = this.#declared(node, file);
    if (declared === undefined) return;
    const { node: found, file: at } = declared;
    if (ts.isExportAssignment(found)) {
      this.source.typed.push({ file: at, node: found, isAsync: this.#isAsync });
      return this.#follow(found.expression, at);
    }
    const isConstant =
      ts.isVariableDeclaration(found) && (found.parent.flags & ts.NodeFlags.Const) !== 0;
    if (!isConstant || found.initializer === undefined) {
      return this.#obstacle(node, file, `${node.text}, which is not a constant`);
    }
    this.source.typed.push({ file: at, node: found, isAsync: this.#isAsync });
    this.#follow(found.initializer, at);
  }

  /** A function that is called here, or by Nest. */
  #called(callee: ts.Expression, file: AppFile): void {
    if (!ts.isIdentifier(callee)) return this.#obstacle(callee, file, nodeText(callee));
    const declared = this.#declared(callee, file);
    if (declared === undefined) return;
    const { node, file: at } = declared;
    const found = ts.isFunctionDeclaration(node)
      ? node
      : withoutParentheses(
          ts.isVariableDeclaration(node) ? (node.initializer ?? callee) : node.expression,
        );
    const isTyped = ts.isVariableDeclaration(node) && node.type !== undefined;
    if (!isFunction(found) || isTyped) {
      return this.#obstacle(
        callee,
        file,
        `${callee.text}, which is not a function that is written out`,
      );
    }
    this.source.typed.push({ file: at, node: found, isAsync: this.#isAsync });
    this.#returned(found, at);
  }

  #returned(node: OptionFunction, file: AppFile): void {
    const { body } = node;
    if (body === undefined || node.asteriskToken !== undefined) {
      return this.#obstacle(node, file, 'a function without a body');
    }
    if (!ts.isBlock(body)) return this.#follow(body, file);
    const returns: ts.ReturnStatement[] = [];
    visit(body, (it) => {
      if (ts.isReturnStatement(it) && ts.findAncestor(it, ts.isFunctionLike) === node)
        returns.push(it);
    });
    if (returns.length === 0) this.#obstacle(node, file, 'a function that returns nothing');
    for (const it of returns) {
      if (it.expression === undefined) this.#obstacle(it, file, 'a return without options');
      else this.#follow(it.expression, file);
    }
  }

  #declared(node: ts.Identifier, file: AppFile): Declared | undefined {
    this.source.visited.add(node);
    const declared = this.files.declarationOf(node.text, file);
    if (declared !== undefined) {
      if (this.source.declared.every((it) => it.node !== declared.node))
        this.source.declared.push(declared);
      return declared;
    }
    const module = this.files.moduleOf(node.text, file);
    const why =
      module === undefined
        ? `${node.text}, which is not a constant of this file`
        : `${node.text} of ${module}, which is not among the files or not a constant there`;
    this.#obstacle(node, file, why);
    return undefined;
  }

  #obstacle(node: ts.Node, file: AppFile, what: string): void {
    this.source.obstacles.push({ file, node, what });
  }
}

export function isFunction(node: ts.Node): node is OptionFunction {
  return (
    ts.isArrowFunction(node) ||
    ts.isFunctionExpression(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node)
  );
}

export function withoutParentheses(node: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(node) ? withoutParentheses(node.expression) : node;
}

function nodeText(node: ts.Node): string {
  return node.getText().replaceAll(/\s+/g, ' ').slice(0, 60);
}
