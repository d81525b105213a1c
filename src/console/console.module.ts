import { Module } from '@nestjs/common';
import { ConsoleFiles } from './console-files.js';

/** The product's screens in a browser, at /console. They call the API as any other client does. */
@Module({ providers: [ConsoleFiles] })
export class ConsoleModule {}
