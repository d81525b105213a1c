import type { Aggregate } from '#event-store/aggregate.js';
import { evolveSetting, type Setting, type SettingEvent } from './setting.js';

/** The settings as their events tell them. They are in force by the tables of the configuration, written in the same transaction. */
export const settings: Aggregate<Setting, SettingEvent> = {
  streamType: 'setting',
  evolve: evolveSetting,
  row: { table: 'setting', key: 'setting_id', columns: ['setting_id', 'record_type', 'fields'] },
};
