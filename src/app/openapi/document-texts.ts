import type { OpenAPIObject } from '@nestjs/swagger';
import { type ExampleValues, type Values, withValues } from './example-values.js';
import { shownDocument } from './docs-page.js';

type Form = (document: OpenAPIObject) => string;

/**
 * The document in each form that it is served in. A form is made on first request, which mostly never comes, and kept while
 * its examples can name the same records.
 */
export class DocumentTexts {
  private document?: OpenAPIObject;
  private values = '';
  private readonly made = new Map<string, string>();

  constructor(
    private readonly make: () => OpenAPIObject,
    private readonly examples: ExampleValues,
  ) {}

  json = () => this.form('json', (document) => JSON.stringify(document));

  /** Without YAML's references: not every reader follows them. */
  async yaml(): Promise<string> {
    const { stringify } = await import('yaml');
    return this.form('yaml', (document) => stringify(document, { aliasDuplicateObjects: false }));
  }

  /** As Swagger UI shows it. */
  shown = () => this.form('shown', (document) => JSON.stringify(shownDocument(document)));

  private async form(name: string, write: Form): Promise<string> {
    // The document is there without its database, too.
    const values = await this.examples.find().catch((): Values => ({}));
    const key = JSON.stringify(values);
    if (key !== this.values) this.made.clear();
    this.values = key;
    this.document ??= this.make();
    const text = this.made.get(name) ?? write(withValues(this.document, values));
    this.made.set(name, text);
    return text;
  }
}
