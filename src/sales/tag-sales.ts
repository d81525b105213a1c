import { Injectable, type OnModuleInit } from '@nestjs/common';
import { notFound } from '#http/problems/problem.js';
import { TagCarriers } from '../tags/tags.contract.js';
import { sales } from './sales.projection.js';

/** Lets sales have tags. */
@Injectable()
export class TagSales implements OnModuleInit {
  constructor(private readonly carriers: TagCarriers) {}

  onModuleInit(): void {
    this.carriers.add({
      kind: 'sale',
      idKind: 'sale',
      aggregate: sales,
      event: 'SaleTagsChanged',
      missing: (_, id) => notFound('sale', id),
    });
  }
}
