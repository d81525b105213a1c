import { Inject, Injectable } from '@nestjs/common';
import { databaseAddress } from '#config/database-address.js';
import { Database } from '#database/database.js';
import { toProblem } from '#http/problems/problem.js';
import { CONFIG, type Config } from '../config/config.js';
import { ReadModels } from '../read-models/read-models.contract.js';
import { examineDatabase } from './database.js';
import { examineEnvironment } from './environment.js';
import type { Finding } from './finding.js';
import { judgeRefusal } from './server.js';
import { examineSurroundings } from './surroundings.js';

/** Examines the set-up of the process that it is in. Its ports are its own, and whoever asks has found them. */
@Injectable()
export class Doctor {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly readModels: ReadModels,
  ) {}

  async examine(tryChannels: boolean): Promise<Finding[]> {
    return [
      ...examineEnvironment(process.env).findings,
      ...(await examineSurroundings(this.config)),
      ...(await this.examineDatabase(tryChannels)),
    ];
  }

  private async examineDatabase(tryChannels: boolean): Promise<Finding[]> {
    const { config, database } = this;
    try {
      return await examineDatabase(database, config, { readModels: this.readModels.all, tryChannels });
    } catch (error) {
      if (toProblem(error).code !== 'unavailable') throw error;
      return [judgeRefusal(error as Error, hostOf(config))];
    }
  }
}

const hostOf = ({ databaseUrl }: Config): string =>
  databaseUrl === null ? 'this machine' : databaseAddress(databaseUrl)!.shown;
