import { IsString } from 'class-validator';
import { ignoreFields, pickKnown } from './known-fields.js';
import { ListOf } from './list-of.js';

class StepInput {
  @IsString() delay_minutes!: string;
}

class PlanInput {
  @IsString() name!: string;
  @ListOf(() => StepInput, { max: 10 }) steps!: StepInput[];
}

ignoreFields(PlanInput, { id: { type: 'integer' }, name: { type: 'string' } });
ignoreFields(StepInput, { position: { type: 'integer' } });

describe('pickKnown', () => {
  it('returns declared fields, without the fields that are ignored', () => {
    const body = { id: 1, name: 'x', steps: [{ position: 1, delay_minutes: '5' }, 7] };
    const { value, errors } = pickKnown(PlanInput, body);
    expect(value).toEqual({ name: 'x', steps: [{ delay_minutes: '5' }, 7] });
    expect(errors.size).toBe(0);
  });

  it('returns an error for each unknown field, on its path', () => {
    const { errors } = pickKnown(PlanInput, { nam: 'x', steps: [{ delay: '5' }] });
    expect(Object.fromEntries(errors)).toEqual({
      nam: ['nam is not a known field. Did you mean name?'],
      'steps.0.delay': ['delay is not a known field. Did you mean delay_minutes?'],
    });
  });

  it('leaves values of another shape to the validation', () => {
    const { value, errors } = pickKnown(PlanInput, { steps: { 0: { delay: '5' } } });
    expect([value, errors.size]).toEqual([{ steps: { 0: { delay: '5' } } }, 0]);
  });
});
