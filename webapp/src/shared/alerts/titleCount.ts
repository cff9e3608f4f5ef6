/**
 * How many things wait, and the latest of them, in the page's title: `(2) Your turn – Morpion`. The page's own title stays
 * in the document: the browser shows the first one.
 */
export class TitleCount {
  private readonly texts = new Map<string, string>();
  private readonly element = document.createElement('title');

  set(id: string, text: string): void {
    this.texts.delete(id);
    this.texts.set(id, text);
    this.show();
  }

  delete(id: string): void {
    this.texts.delete(id);
    this.show();
  }

  private show(): void {
    const latest = [...this.texts.values()].at(-1);
    this.element.remove();
    if (latest === undefined) return;
    this.element.textContent = `(${this.texts.size}) ${latest} – Morpion`;
    document.head.prepend(this.element);
  }
}
