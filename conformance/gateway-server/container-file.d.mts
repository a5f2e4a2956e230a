/** An instruction of a container file. */
export interface Instruction {
  readonly name: string;
  readonly text: string;
}

export function readContainerFile(): Instruction[];
export function instruction(name: string): string;
export function installArguments(): string[];
