import { Test } from '@nestjs/testing';
import { DecoratedMethodsModule } from '@outreach/decorated-methods';
import { Log } from '@outreach/logging';
import { TenantDatabase } from '@outreach/database';
import { DueWorkHost } from './due-work-host.js';
import { Scheduled, TaskScheduler } from './task-scheduler.js';

class Base {
  readonly ran: string[] = [];

  constructor(readonly table: string) {}

  @Scheduled(({ table }: Base) => `clean-${table}`, 60)
  async clean(): Promise<void> {
    this.ran.push(this.table);
  }
}

class Orders extends Base {
  constructor() {
    super('orders');
  }
}

class Invoices extends Base {
  constructor() {
    super('invoices');
  }
}

class SwitchedOff {
  @Scheduled(() => undefined, 60)
  async clean(): Promise<void> {}
}

class OrdersAgain {
  @Scheduled('clean-orders', 5)
  async clean(): Promise<void> {}
}

describe('TaskScheduler', () => {
  const inserted: unknown[] = [];
  beforeEach(() => inserted.splice(0));
  const database = {
    execute: async (statement: { values: unknown[] }) => inserted.push(...statement.values),
    query: async () => [],
  };

  async function start(...providers: (new () => object)[]): Promise<void> {
    const module = await Test.createTestingModule({
      imports: [DecoratedMethodsModule],
      providers: [
        TaskScheduler,
        { provide: DueWorkHost, useValue: {} },
        { provide: TenantDatabase, useValue: database },
        { provide: Log, useValue: new Log('silent') },
        ...providers,
      ],
    }).compile();
    try {
      await module.init();
    } finally {
      await module.close();
    }
  }

  it('registers each task under the name of its decorator, or the one that its provider gives', async () => {
    await start(Orders, Invoices);
    expect(inserted).toEqual([['clean-invoices', 'clean-orders']]);
  });

  it('does not register a task without a name', async () => {
    await start(SwitchedOff, Invoices);
    expect(inserted).toEqual([['clean-invoices']]);
  });

  it('fails the start when two tasks have the same name', async () => {
    await expect(start(Orders, OrdersAgain)).rejects.toThrow('Two scheduled tasks are named clean-orders.');
  });
});
