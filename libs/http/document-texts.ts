import type { OpenAPIObject } from '@nestjs/swagger';
import { shownDocument } from './docs-page.js';

/** The document in each form that it is served in. A form is made on first request, which mostly never comes, and kept. */
export class DocumentTexts {
  private readonly made = new Map<string, string>();

  constructor(private readonly document: () => OpenAPIObject) {}

  json = () => this.form('json', (document) => JSON.stringify(document));

  /** Without YAML's references: not every reader follows them. */
  async yaml(): Promise<string> {
    const { stringify } = await import('yaml');
    const plain = { aliasDuplicateObjects: false };
    return this.form('yaml', (document) => stringify(JSON.parse(JSON.stringify(document)), plain));
  }

  /** As Swagger UI shows it. */
  shown = () => this.form('shown', (document) => JSON.stringify(shownDocument(document)));

  private form(name: string, make: (document: OpenAPIObject) => string): string {
    const text = this.made.get(name) ?? make(this.document());
    this.made.set(name, text);
    return text;
  }
}
