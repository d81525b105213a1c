import type { Config } from '../config/config.js';
import { examineTls } from './environment.js';
import type { Finding } from './finding.js';
import { examineDataDirectory, examineDisk } from './machine.js';
import { examineRedis } from './redis.js';

/** MiB that the disk of the data directory should have free. */
export const LEAST_FREE_MIB = 1024;

/** What is wrong with what a process has around it, but for its ports and its database; `minFree` is in MiB. */
export async function examineSurroundings(config: Config, minFree = LEAST_FREE_MIB): Promise<Finding[]> {
  const { dataDir, inboundSmtpTls, redisUrl } = config;
  const findings = [examineDataDirectory(dataDir), examineDisk(dataDir, minFree)];
  if (inboundSmtpTls !== null) findings.push(await examineTls(inboundSmtpTls));
  if (redisUrl !== null) findings.push(await examineRedis(redisUrl));
  return findings;
}
