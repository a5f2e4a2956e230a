import type { PolicyExplanation } from '../../../src/section-views.js';
import { DetailPanel } from '../../detail-panel.js';
import { byId } from '../../elements.js';
import { loaded } from '../../loaded.js';

const FIELDS = ['roles', 'permissions', 'id'] as const;
const LOOKS = { allowed: 'good', denied: 'bad', undecided: 'busy' } as const;

/** Explains one method to a caller that the viewer describes. */
export class ExplainPanel {
  readonly #panel: DetailPanel;
  readonly #fields = FIELDS.map(
    (name) => [name, byId(`caller-${name}`) as HTMLInputElement] as const,
  );
  readonly #anonymous = byId('caller-anonymous') as HTMLInputElement;

  /**
   * @param base the URL of the explanations.
   * @param onChange called when a method was opened or closed, or its caller has changed, with the parameters of that.
   */
  constructor(
    private readonly base: URL,
    private readonly onChange: (params: Readonly<Record<string, string>>) => void,
  ) {
    this.#panel = new DetailPanel('explained', byId('methods-title'), () => onChange({}));
    for (const field of [...this.#fields.map(([, each]) => each), this.#anonymous]) {
      field.addEventListener('input', () => this.#changed());
    }
  }

  /** The explained method; null if there is none. */
  get open(): string | null {
    return this.#panel.open;
  }

  /** Explains a method, or closes it if it is open. */
  toggle(method: string, opener: HTMLElement): void {
    if (this.open === method) {
      this.#panel.close();
      return;
    }
    this.#show(method, opener);
    this.#changed();
  }

  /** Explains what parameters of the address name. */
  follow(params: URLSearchParams): void {
    for (const [name, field] of this.#fields) field.value = params.get(name) ?? '';
    this.#anonymous.checked = params.has('anonymous');
    const method = params.get('method');
    if (method === null) {
      this.#panel.hide();
      return;
    }
    this.#show(method);
    void this.#load(method);
  }

  #show(method: string, opener?: HTMLElement): void {
    byId('explained-findings').replaceChildren();
    this.#panel.show(method, method, opener);
  }

  #changed(): void {
    this.onChange(this.#params());
    if (this.open !== null) void this.#load(this.open);
  }

  #params(): Record<string, string> {
    if (this.open === null) return {};
    const caller = this.#anonymous.checked
      ? { anonymous: 'yes' }
      : Object.fromEntries(this.#fields.map(([name, { value }]) => [name, value]));
    return { method: this.open, ...caller };
  }

  async #load(method: string): Promise<void> {
    for (const [, field] of this.#fields) field.disabled = this.#anonymous.checked;
    const asked = new URLSearchParams(this.#params()).toString();
    const found = await loaded<PolicyExplanation>(
      new URL(`explain?${asked}`, this.base),
      'there is no such method',
    );
    // Typed on, or closed, while it was loaded.
    if (this.open !== method || asked !== new URLSearchParams(this.#params()).toString()) return;
    const verdict = byId('explained-verdict');
    verdict.textContent = typeof found === 'string' ? found : found.verdict;
    verdict.className = typeof found === 'string' ? 'text' : `text ${LOOKS[found.outcome]}`;
    const lines = typeof found === 'string' ? [] : found.findings;
    byId('explained-findings').replaceChildren(
      ...lines.map(({ mark, text }) => {
        const line = document.createElement('li');
        line.textContent = text;
        line.className = mark === '+' ? 'good' : mark === '-' ? 'bad' : '';
        return line;
      }),
    );
  }
}
