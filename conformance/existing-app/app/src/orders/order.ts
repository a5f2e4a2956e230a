import { Field, Int, ObjectType } from '@nestjs/graphql';
import { ApiProperty } from '@nestjs/swagger';

@ObjectType()
export class Order {
  @ApiProperty() @Field() id!: string;
  @ApiProperty() @Field() itemName!: string;
  @ApiProperty() @Field(() => Int) cents!: number;
  @ApiProperty() @Field() cancelled!: boolean;
}
