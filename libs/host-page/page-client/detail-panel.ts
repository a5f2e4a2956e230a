import { byId } from './elements.js';

/** What shows one row of a table in full, until it is closed by its button or by Escape: `<id>`, `<id>-title`, `<id>-close`. */
export class DetailPanel {
  readonly #panel: HTMLElement;
  readonly #title: HTMLElement;
  #open: string | null = null;
  #opener: HTMLElement | null = null;

  /**
   * @param shelter gets the focus when the panel is closed, if the button that opened it is gone.
   * @param onClose called when it was closed by a viewer.
   */
  constructor(
    id: string,
    private readonly shelter: HTMLElement,
    private readonly onClose: () => void,
  ) {
    this.#panel = byId(id);
    this.#title = byId(`${id}-title`);
    byId(`${id}-close`).addEventListener('click', () => this.close());
    this.#panel.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') this.close();
    });
  }

  /** What is open; null if nothing is. */
  get open(): string | null {
    return this.#open;
  }

  /** @param opener the button that was used, for the focus. Default: it was opened by the address. */
  show(open: string, title: string, opener: HTMLElement | null = null): void {
    this.#open = open;
    this.#opener = opener;
    this.#title.textContent = title;
    this.#panel.hidden = false;
    if (opener !== null) this.#title.focus();
  }

  hide(): void {
    this.#open = null;
    this.#panel.hidden = true;
  }

  close(): void {
    this.hide();
    const opener = this.#opener;
    (opener?.isConnected === true ? opener : this.shelter).focus();
    this.onClose();
  }
}
